import { describe, expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newCase } from '../support/studies.ts';
import { days, hours, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';
import { iso, newId } from './support/late-answers.ts';

/* Phones with wrong clocks: Chidi answers by his own, and the study reads the time by the service's. */

const now = startOfTests + 40 * days;

async function newNight() {
  setClock(startOfTests);
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  setClock(now);
  const send = (more: object) =>
    study.responder.post(`/survey/${study.survey}/response`, { case: night, items: { q1: 'well' }, ...more });
  return { ...study, night, send };
}

describe('the clock of a phone', () => {
  test.each([
    ['right', 0],
    ['0.2 s ahead', 200],
    ['two hours ahead', 2 * hours],
    ['two hours behind', -2 * hours],
    ['a day ahead', days],
    ['a year behind', -365 * days],
    ['ten years ahead', 3650 * days],
  ])('that is %s moves the time of an answer', async (_, skew) => {
    const { send } = await newNight();
    const given = now - 10 * minutes;
    const answer = created(await send({ at: iso(given + skew), clock: iso(now + skew) }));
    expect(answer).toMatchObject({ givenAt: iso(given), receivedAt: iso(now) });
    const fresh = created(await send({ at: iso(now + skew), clock: iso(now + skew) }));
    expect(fresh).toMatchObject({ givenAt: iso(now) });
  });

  test('that was a day ahead when it answered, and is right as it sends, loses nothing', async () => {
    const { send } = await newNight();
    expect(created(await send({ at: iso(now + days), clock: iso(now) }))).toMatchObject({
      givenAt: iso(now),
    });
  });

  test('does not make an answer older than it may be, nor one before its person joined', async () => {
    const { send, owner, id, survey, night } = await newNight();
    const zoe = await signUp('Zoe');
    created(await owner.post(`/investigation/${id}/member`, { user: zoe.id, role: 'responder' }));
    await changingNothing(async () => {
      const old = { at: iso(now + days - 30 * days - 1), clock: iso(now + days) };
      expectProblem(await send(old), 'request.invalid', ['/at']);
      const early = { at: iso(now - 6 * minutes), clock: iso(now) };
      const body = { case: night, items: { q1: 'well' }, ...early };
      expectProblem(await zoe.post(`/survey/${survey}/response`, body), 'request.invalid', ['/at']);
    });
  });

  test('may be off by minutes without being sent', async () => {
    const { send } = await newNight();
    for (const ahead of [1, 200, 5 * minutes])
      expect(created(await send({ at: iso(now + ahead) }))).toMatchObject({ givenAt: iso(now) });
    await changingNothing(async () =>
      expectProblem(await send({ at: iso(now + 5 * minutes + 1) }), 'request.invalid', ['/at']),
    );
  });

  test('that is a moment behind does not lose the answer of somebody who has just joined or downloaded', async () => {
    const { owner, id, survey, night } = await newNight();
    const zoe = await signUp('Zoe');
    created(await owner.post(`/investigation/${id}/member`, { user: zoe.id, role: 'responder' }));
    const send = (at: number, clock?: number) =>
      zoe.post(`/survey/${survey}/response`, {
        case: night,
        items: { q1: 'well' },
        at: iso(at),
        ...(clock !== undefined && { clock: iso(clock) }),
      });
    await changingNothing(async () => expectProblem(await send(now - 700), 'request.invalid', ['/at']));
    expect(created(await send(now - 700, now))).toMatchObject({ givenAt: iso(now) });
    setClock(now + hours);
    await zoe.post(`/survey/${survey}/download`);
    expect(created(await send(now + hours - 700, now + hours))).toMatchObject({ givenAt: iso(now + hours) });
  });

  test('may be set between two tries of one answer', async () => {
    const { send } = await newNight();
    const identifier = newId();
    const body = { at: iso(now + 2 * hours - minutes), identifier };
    const first = created(await send({ ...body, clock: iso(now + 2 * hours) }));
    setClock(now + 3_000);
    for (const clock of [now + 2 * hours + 3_000, now + 2 * hours + 2_950, now + 3_000]) {
      const again = await send({ ...body, clock: iso(clock) });
      expect(again.status, again.text).toBe(200);
      expect(again.body).toEqual(first);
    }
    expectProblem(await send({ ...body, clock: iso(now), items: { q1: 'else' } }), 'identifier.taken');
    expectProblem(await send({ identifier }), 'identifier.taken');
  });

  test('that was ahead without saying so finds its answer, too, and nobody else does', async () => {
    const { send } = await newNight();
    const identifier = newId();
    const at = iso(now + 2 * minutes);
    expect((await send({ at, identifier })).status).toBe(201);
    setClock(now + hours);
    expect((await send({ at, identifier })).status).toBe(200);
    for (const other of [now - 1, now + 6 * minutes, now + hours])
      expectProblem(await send({ at: iso(other), identifier }), 'identifier.taken');
  });
});

describe('receipts of a phone with a wrong clock', () => {
  async function reminded() {
    setClock(startOfTests);
    const study = await sleepStudy();
    const chidi = study.responder;
    await newPhone(chidi);
    await remind(study, daily);
    await pendingOf(chidi);
    const [{ dueAt }] = await history(chidi);
    const due = Date.parse(dueAt);
    setClock(due);
    await ring(chidi);
    const [, { identifier }] = await history(chidi);
    setClock(due + 10 * minutes);
    const read = async () => (await chidi.get(`/notification/${identifier}`)).body;
    return { chidi, due, identifier, read };
  }

  test.each([
    ['two hours ahead', 2 * hours],
    ['a day behind', -days],
  ])('that is %s have their time, alone and in a list', async (_, skew) => {
    const { chidi, due, identifier, read } = await reminded();
    const clock = iso(due + 10 * minutes + skew);
    const shown = { event: 'shown', at: iso(due + minutes + skew) };
    expect((await chidi.post(`/notification/${identifier}/receipt`, { ...shown, clock })).status).toBe(204);
    const opened = { notification: identifier, event: 'opened', at: iso(due + 2 * minutes + skew) };
    expect((await chidi.post('/user/me/receipts', { receipts: [opened], clock })).body.stored).toBe(1);
    expect(await read()).toMatchObject({
      shownAt: iso(due + minutes),
      openedAt: iso(due + 2 * minutes),
    });
  });

  test('that is off by minutes count as now, and with the clock of the phone as the push', async () => {
    const { chidi, due, identifier, read } = await reminded();
    const receipts = [
      { notification: identifier, event: 'opened', at: iso(due + 14 * minutes) },
      { notification: identifier, event: 'shown', at: iso(due - minutes) },
      { notification: identifier, event: 'dismissed', at: iso(due + 15 * minutes + 1) },
    ];
    const { body } = await chidi.post('/user/me/receipts', { receipts });
    expect(body).toMatchObject({
      stored: 1,
      refused: [
        { event: 'shown', reason: 'before-push' },
        { event: 'dismissed', reason: 'after-now' },
      ],
    });
    const clock = iso(due + 10 * minutes);
    const shown = await chidi.post(`/notification/${identifier}/receipt`, {
      event: 'shown',
      at: iso(due - 400),
      clock,
    });
    expect(shown.status, shown.text).toBe(204);
    expect(await read()).toMatchObject({ shownAt: iso(due), openedAt: iso(due + 10 * minutes) });
    const early = { event: 'shown', at: iso(due - 6 * minutes), clock };
    expectProblem(await chidi.post(`/notification/${identifier}/receipt`, early), 'request.invalid', ['/at']);
  });
});
