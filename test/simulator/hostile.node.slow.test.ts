import { describe, expect, test } from 'vitest';
import { draws, seed as first } from '../support/seed.ts';
import { runBeside } from './hostile.ts';

const studies = draws(4);
const acts = 375;
/** Some faults show only where the draw has reminders, pauses or cases enough. */
const maxStudies = 40;

test('hostile people change nothing of honest ones in random studies', async () => {
  const done = new Map<string, number>();
  let pushes = 0;
  for (let n = 0; n < studies || (pushes <= 2 && n < maxStudies); n++) {
    const seed = first + n;
    const alone = await runBeside(seed, 0);
    const beside = await runBeside(seed, acts);
    expect(beside.honest, `seed ${seed}`).toEqual(alone.honest);
    expect(beside.failures, `seed ${seed}`).toEqual([]);
    expect(beside.leaks, `seed ${seed}`).toEqual([]);
    pushes += alone.honest.pushes.length;
    for (const [operation, count] of beside.done) done.set(operation, (done.get(operation) ?? 0) + count);
  }
  // They did much of what they may do, and there were reminders to disturb.
  expect(done.size).toBeGreaterThan(30);
  expect(pushes).toBeGreaterThan(2);
});

describe('a fault of the service shows:', () => {
  test.each([
    [
      'an invitation makes a member without being accepted',
      `create trigger fault after insert on invitation begin insert or ignore into member (investigation_id, user_id, role, created_at)
        select new.investigation_id, u.id, 'responder', new.created_at from user u where u.email = new.email; end`,
    ],
    [
      "somebody's new phone ends the pushes to the phones of others",
      `create trigger fault after insert on device begin update device set enabled = 0 where user_id <> new.user_id; end`,
    ],
    [
      'a pause is the pause of everybody',
      `create trigger fault after update of paused_until on user when new.paused_until is not null begin
        update user set paused_until = new.paused_until where paused_until is null; end`,
    ],
    [
      'a new case locks those of others',
      `create trigger fault after insert on study_case begin update study_case set locked_at = new.created_at
        where creator_id <> new.creator_id; end`,
    ],
    [
      'a scope bounds nobody',
      `create trigger fault after insert on member when new.scope is not null begin
        update member set scope = null where user_id = new.user_id; end`,
    ],
  ])('%s', async (_, fault) => {
    let differs = 0;
    for (let seed = first; seed < first + maxStudies && differs === 0; seed++) {
      const alone = await runBeside(seed, 0, fault);
      const beside = await runBeside(seed, 2 * acts, fault);
      if (JSON.stringify(beside.honest) !== JSON.stringify(alone.honest)) differs++;
    }
    expect(differs).toBe(1);
  });
});
