import { expect, test } from 'vitest';
import { turnsAt } from '../../src/model/reminders/sweep-work.ts';
import { days, later, minutes, setClock, startOfTests } from './support/clock.ts';
import { isDeleted, removeStudy } from './support/purges.ts';
import { tick } from './support/reminders.ts';
import { sleepStudy } from './support/world.ts';
import { plannedByOlderRelease, zoneRules } from './support/zones.ts';

test('what is rare takes turns, of which each comes within three minutes, also to a sweep of every few minutes', () => {
  for (let every = 1; every <= 15; every++) {
    let runs = 0;
    let longest = 0;
    let before: boolean | undefined;
    for (let n = 0; n < 2_000; n++) {
      const [first, second] = turnsAt(startOfTests + n * every * minutes);
      expect(first).toBe(!second);
      runs = first === before ? runs + 1 : 1;
      longest = Math.max(longest, runs);
      before = first;
    }
    expect(longest, `every ${every} minutes`).toBeLessThanOrEqual(every === 1 ? 2 : 20);
  }
});

test('three ticks look at an upgrade of the zones and at a study to purge', async () => {
  setClock(startOfTests);
  const study = await sleepStudy();
  await removeStudy(study);
  later(31 * days);
  await plannedByOlderRelease({ 'America/Vancouver': 60 });
  for (let minute = 0; minute < 3; minute++, later(minutes)) await tick();
  expect(await zoneRules()).toMatchObject({ upgrade: { confirming: true } });
  // A slice is not all of it.
  for (let slice = 0; slice < 20 && (await isDeleted(study.id)); slice++, later(minutes)) await tick();
  expect(await isDeleted(study.id)).toBeNull();
});
