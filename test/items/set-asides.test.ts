import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/lists.ts';
import { enrol, newCode, participantOf } from '../support/participants.ts';
import { newCase } from '../support/studies.ts';
import { interruptedDb, small } from '../support/worker/apps.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, stranger, world } from '../support/worker/world.ts';
import {
  iso,
  monday,
  newId,
  type OfflineStudy,
  offlineStudy,
  sendLate,
  sendSlowly,
  stateItems,
  tuesday,
  waitingOf,
  wednesday,
} from './support/late-answers.ts';

/** The acts by which an answer loses its place, each on Tuesday, and the reason that it gets. */
const acts: Record<string, (study: OfflineStudy) => PromiseLike<{ status: number; text: string }>> = {
  'survey-archived': ({ editor, survey }) => editor.patch(`/survey/${survey}`, { status: 'archived' }),
  'study-archived': ({ owner, id }) => owner.patch(`/investigation/${id}`, { status: 'archived' }),
  'study-deleted': async ({ owner, id }) => {
    await owner.patch(`/investigation/${id}`, { status: 'archived' });
    return owner.delete(`/investigation/${id}`);
  },
  'case-archived': (study) => stateItems(study, 'archive', { cases: [study.night] }, 'archived'),
  'case-deleted': (study) => stateItems(study, 'delete', { cases: [study.night] }, 'deleted'),
  'case-hidden': ({ editor, night }) => editor.patch(`/case/${night}`, { hidden: true }),
  'left-study': ({ owner, id, chidi }) => owner.delete(`/investigation/${id}/member/${chidi.id}`),
};

async function afterAct(reason: string) {
  const study = await offlineStudy();
  setClock(tuesday);
  const { status, text } = await (acts[reason] as (typeof acts)[string])(study);
  expect(status, text).toBeLessThan(300);
  return study;
}

describe.each(Object.keys(acts))('an answer of Monday to what is %s on Tuesday', (reason) => {
  test('is set aside, once, and is no response', async () => {
    const study = await afterAct(reason);
    const identifier = newId();
    for (let n = 0; n < 2; n++) {
      const answer = await sendLate(study, { identifier });
      expect(answer.status, answer.text).toBe(202);
      expect(answer.body).toEqual({ setAside: reason });
    }
    if (reason === 'study-deleted') {
      expectProblem(await study.owner.get(`/investigation/${study.id}/set-aside`), 'resource.not-found');
      expect((await study.owner.post(`/investigation/${study.id}/restore`)).status).toBeLessThan(300);
    }
    expect(await waitingOf(study)).toEqual([
      {
        identifier,
        reason,
        survey: study.survey,
        surveyName: 'Diary',
        case: study.night,
        ...(reason !== 'case-deleted' && { caseLabel: 'Chidi' }),
        responder: study.chidi.id,
        name: 'Chidi',
        items: { q1: 'fell asleep late' },
        reasons: {},
        givenAt: iso(monday),
        receivedAt: iso(wednesday),
      },
    ]);
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toHaveLength(1);
  });

  test('is refused if it was given after that, or without a time', async () => {
    const study = await afterAct(reason);
    setClock(wednesday);
    await changingNothing(async () => {
      const statuses = [];
      for (const at of [tuesday, tuesday + hours, wednesday, undefined])
        statuses.push((await sendLate(study, { at: at && iso(at), identifier: newId() })).status);
      expect(new Set(statuses)).toEqual(new Set([reason.endsWith('archived') ? 409 : 404]));
    });
  });

  test('is set aside if it was on its way then, for up to a minute', async () => {
    const study = await afterAct(reason);
    await changingNothing(async () =>
      expect((await sendSlowly(study, minutes + 1)).status).toBe(reason.endsWith('archived') ? 409 : 404),
    );
    const answer = await sendSlowly(study, minutes);
    expect(answer.body, answer.text).toEqual({ setAside: reason });
  });

  test('tells strangers nothing', async () => {
    const study = await afterAct(reason);
    const zoe = await signUp('Zoe');
    await changingNothing(async () =>
      expectProblem(await sendLate(study, { identifier: newId() }, zoe), 'resource.not-found'),
    );
  });
});

test('a phone whose clock began anew, in 1970, says when an answer was given, too', async () => {
  const study = await afterAct('case-deleted');
  for (const at of [0, 1])
    expectProblem(
      await changingNothing(() => sendLate(study, { at: iso(at), clock: iso(at + minutes) })),
      'items.not-found',
    );
  expect((await sendLate(study, { at: iso(0), clock: iso(wednesday - monday) })).status).toBe(202);
});

test('a case of somebody else that was hidden is none, whether it was named before or not', async () => {
  const study = await offlineStudy();
  const secret = await newCase(study, study.owner, 'Secret', true);
  const shown = await newCase(study, study.owner, 'Shown');
  setClock(tuesday);
  await study.editor.patch(`/case/${shown}`, { hidden: true });
  for (const of of [secret, shown, newId()])
    expectProblem(await sendLate(study, { case: of }), 'items.not-found', ['/case']);
});

test('a case that a phone could not make any more needs none of the study', async () => {
  const study = await afterAct('left-study');
  expect((await sendLate(study, { case: newId() })).status).toBe(202);
  expect(await waitingOf(study)).toHaveLength(1);
});

test('content that was wrong when it was given is refused, not set aside', async () => {
  const study = await afterAct('case-deleted');
  await changingNothing(async () =>
    expectProblem(await sendLate(study, { items: { q9: 'no such item' } }), 'request.invalid', ['/items/q9']),
  );
});

test('a lock or a freeze is passing: the phone keeps the answer', async () => {
  const study = await offlineStudy();
  setClock(tuesday);
  await stateItems(study, 'lock', { cases: [study.night] }, 'locked');
  expectProblem(await sendLate(study), 'item.locked', ['/case']);
  await stateItems(study, 'lock', { cases: [study.night] }, 'unlocked');
  await stateItems(study, 'delete', { cases: [study.night] }, 'deleted');
  await study.owner.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'Audit' });
  setClock(wednesday);
  await changingNothing(async () => expectProblem(await sendLate(study), 'study.frozen'));
});

test('a freeze that comes between is obeyed, and the reminder stays unanswered', async () => {
  const study = await afterAct('case-deleted');
  const freeze = { status: 'frozen', reason: 'Audit' };
  const db = interruptedDb(() => study.owner.post(`/investigation/${study.id}/freeze`, freeze));
  const send = small({}, { db });
  const chidi = { ...study.chidi, post: (path: string, body?: object) => send(study.chidi, path, body) };
  setClock(wednesday);
  const before = await history(study.chidi);
  expectProblem(await sendLate(study, {}, chidi), 'study.frozen');
  expect(await history(study.chidi)).toEqual(before);
  expect(await waitingOf(study)).toEqual([]);
});

test('the identifier of an answer that is set aside is taken, also for its person with other content', async () => {
  const study = await afterAct('case-deleted');
  const identifier = newId();
  expect((await sendLate(study, { identifier })).status).toBe(202);
  const other = { identifier, items: { q1: 'else' } };
  expectProblem(await sendLate(study, other), 'identifier.taken');
  expectProblem(await sendLate(study, { identifier }, study.other), 'identifier.taken');
  expectProblem(await sendLate(study, { identifier }, await signUp('Zoe')), 'resource.not-found');
});

test('somebody who came back has what they answered as a member before, and nothing of the time between', async () => {
  const study = await offlineStudy();
  const { owner, id, chidi } = study;
  const leave = () => owner.delete(`/investigation/${id}/member/${chidi.id}`);
  setClock(tuesday);
  await leave();
  later(hours);
  await owner.post(`/investigation/${id}/member`, { user: chidi.id, role: 'responder' });
  await owner.patch(`/investigation/${id}/member/${chidi.id}`, { code: 'P-017' });
  const answer = await sendLate(study, { identifier: newId() });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject({ givenAt: iso(monday) });
  const between = { at: iso(tuesday + 30 * minutes), identifier: newId() };
  expectProblem(await sendLate(study, between), 'request.invalid', ['/at']);
  await leave();
  const other = await sendLate(study, { identifier: newId() });
  expect(other.body, other.text).toEqual({ setAside: 'left-study' });
  expectProblem(await sendLate(study, between), 'request.invalid', ['/at']);
});

test('a participant who became a monitor is heard for the time before, and answers nothing more', async () => {
  const study = await offlineStudy();
  const { owner, id, chidi } = study;
  setClock(tuesday);
  const label = { identifier: newId(), label: 'Night 7' };
  const made = await chidi.post(`/investigation/${id}/case`, label);
  expect(made.status, made.text).toBe(201);
  await owner.patch(`/investigation/${id}/member/${chidi.id}`, { role: 'monitor' });
  const early = await sendLate(study, { identifier: newId() });
  expect([early.status, early.body]).toEqual([202, { setAside: 'left-study' }]);
  later(hours);
  expectProblem(await changingNothing(() => sendLate(study, { at: iso(Date.now()) })), 'action.forbidden');
  // A phone that repeats a request finds what it made.
  expect((await chidi.post(`/investigation/${id}/case`, label)).status).toBe(200);
  expectProblem(await chidi.post(`/investigation/${id}/case`, { label: 'Night 8' }), 'action.forbidden');
});

test('somebody who has left the study still has the response that arrived before', async () => {
  const study = await offlineStudy();
  const identifier = newId();
  expect((await sendLate(study, { identifier })).status).toBe(201);
  later(minutes);
  await study.owner.delete(`/investigation/${study.id}/member/${study.chidi.id}`);
  const body = {
    case: study.night,
    items: { q1: 'fell asleep late' },
    at: iso(monday),
    clock: iso(Date.now()),
  };
  const again = await study.chidi.post(`/survey/${study.survey}/response`, { ...body, identifier });
  expect(again.status, again.text).toBe(200);
  expect(again.body.uri).toBe(`/response/${identifier}`);
});

test('a participant by a code whose membership ended is heard, too', async () => {
  const study = await offlineStudy();
  const { code } = await newCode(study.owner, study.id);
  const pia = participantOf(world, await enrol(world, code, { name: 'Pia' }));
  const night = await newCase(study, pia, 'Participant 1');
  setClock(tuesday);
  await study.owner.delete(`/investigation/${study.id}/member/${pia.id}`);
  expect((await sendLate(study, { case: night }, pia)).body).toEqual({ setAside: 'left-study' });
  // Nor was it right before they joined.
  const early = await sendLate(study, { case: night, at: iso(startOfTests - hours) }, pia);
  expectProblem(early, 'request.invalid', ['/at']);
});

describe('its place', () => {
  async function setAside(reason = 'case-deleted') {
    const study = await afterAct(reason);
    const identifier = newId();
    expect((await sendLate(study, { identifier })).status).toBe(202);
    return {
      ...study,
      identifier,
      place: `/set-aside/${identifier}/place`,
      discard: `/set-aside/${identifier}/discard`,
    };
  }

  test('is a case that staff choose; the phone that repeats it finds the response', async () => {
    const study = await setAside();
    later(hours);
    const fresh = await newCase(study, study.editor, 'Chidi, again');
    const before = (await study.owner.get(`/investigation/${study.id}/changes?after=0`)).body.latest;
    const placed = await study.editor.post(study.place, { case: fresh });
    expect(placed.status, placed.text).toBe(201);
    expect(placed.headers.get('location')).toBe(`/response/${study.identifier}`);
    expect(placed.body).toMatchObject({
      uri: `/response/${study.identifier}`,
      case: `case/${fresh}`,
      responder: `/user/${study.chidi.id}`,
      items: { q1: 'fell asleep late' },
      givenAt: iso(monday),
      receivedAt: iso(wednesday),
    });
    expect((await study.editor.post(study.place, { case: fresh })).status).toBe(200);
    expect((await study.chidi.get(`/response/${study.identifier}`)).body).toMatchObject({
      givenAt: iso(monday),
    });
    expect((await sendLate(study, { identifier: study.identifier })).status).toBe(200);
    expect(await waitingOf(study)).toEqual([]);
    const { changes } = (await study.owner.get(`/investigation/${study.id}/changes?after=${before}`)).body;
    expect(changes).toMatchObject([{ kind: 'response', identifier: study.identifier, state: 'active' }]);
    const [entry] = (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities;
    expect(entry).toMatchObject({
      action: 'answer.placed',
      actor: study.editor.id,
      cases: [fresh],
      responses: [study.identifier],
      details: { member: study.chidi.id, setAside: 'case-deleted' },
    });
    expect((await study.owner.get(`/investigation/${study.id}/activity/verify`)).body).toMatchObject({
      valid: true,
    });
    const [revision] = (await study.owner.get(`/response/${study.identifier}/revisions`)).body.revisions;
    expect(revision).toMatchObject({
      author: study.chidi.id,
      givenAt: iso(monday),
      receivedAt: iso(wednesday),
    });
  });

  test('is open: neither locked, archived, of another study nor gone, and the study is neither frozen nor archived', async () => {
    const study = await setAside();
    const other = await newCase(study, study.editor, 'Other');
    const foreign = await newCase(await offlineStudy(), study.owner, 'Foreign').catch(() => newId());
    setClock(wednesday);
    for (const into of [study.night, foreign, newId()])
      expectProblem(await study.editor.post(study.place, { case: into }), 'items.not-found', ['/case']);
    await stateItems(study, 'lock', { cases: [other] }, 'locked');
    await changingNothing(async () =>
      expectProblem(await study.editor.post(study.place, { case: other }), 'item.locked', ['/case']),
    );
    await stateItems(study, 'lock', { cases: [other] }, 'unlocked');
    await stateItems(study, 'archive', { cases: [other] }, 'archived');
    expectProblem(await study.editor.post(study.place, { case: other }), 'item.archived', ['/case']);
    await stateItems(study, 'archive', { cases: [other] }, 'active');
    const freeze = (status: string) =>
      study.owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'Audit' });
    await freeze('frozen');
    await changingNothing(async () => {
      expectProblem(await study.editor.post(study.place, { case: other }), 'study.frozen');
      expectProblem(await study.editor.post(study.discard, {}), 'study.frozen');
    });
    await freeze('active');
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    expectProblem(await study.editor.post(study.place, { case: other }), 'study.archived');
    await study.owner.patch(`/investigation/${study.id}`, { status: 'active' });
    expect((await study.editor.post(study.place, { case: other })).status).toBe(201);
  });

  test('may be in an archived survey, for which it was given in time', async () => {
    const study = await setAside('survey-archived');
    expect((await study.editor.post(study.place, { case: study.night })).status).toBe(201);
  });

  test('is nowhere once it is discarded, which the log keeps without its words', async () => {
    const study = await setAside();
    const sizeOf = async () =>
      (await study.owner.get(`/investigation/${study.id}/responses`)).body.responses.length;
    const before = await sizeOf();
    const discarded = await study.editor.post(study.discard, { reason: 'Of the pilot.' });
    expect(discarded.status, discarded.text).toBe(204);
    expectProblem(await study.editor.post(study.discard, {}), 'resource.not-found');
    expectProblem(await study.editor.post(study.place, { case: study.night }), 'resource.not-found');
    expect(await waitingOf(study)).toEqual([]);
    expect(await sizeOf()).toBe(before);
    const [entry] = (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities;
    expect(entry).toMatchObject({
      action: 'answer.discarded',
      reason: 'Of the pilot.',
      actor: study.editor.id,
    });
    expect(JSON.stringify(entry)).not.toContain('fell asleep late');
    // A late repeat does not bring it back.
    expect((await sendLate(study, { identifier: study.identifier })).status).toBe(202);
    expect(await waitingOf(study)).toEqual([]);
  });

  test('is no matter of participants', async () => {
    const study = await setAside();
    expectProblem(await study.other.get(`/investigation/${study.id}/set-aside`), 'action.forbidden');
    expectProblem(await study.other.post(study.place, { case: study.night }), 'action.forbidden');
    expectProblem(await study.chidi.post(study.discard, {}), 'action.forbidden');
    const zoe = await stranger('Zoe');
    expectProblem(await zoe.get(`/investigation/${study.id}/set-aside`), 'user.not-signed-up');
  });
});

test('an answer that is set aside answers its reminder: no nudge follows, and the response keeps it', async () => {
  const study = await offlineStudy();
  const { chidi } = study;
  await newPhone(chidi);
  await remind(study, { ...daily, followUps: { every: 30, max: 3 } });
  await pendingOf(chidi);
  const due = Date.parse((await history(chidi))[0].dueAt);
  setClock(due);
  await ring(chidi);
  const [, sent] = await history(chidi);
  const identifier = newId();
  setClock(due + 12 * minutes);
  await stateItems(study, 'archive', { cases: [study.night] }, 'archived');
  setClock(due + 20 * minutes);
  const body = { case: study.night, items: { q1: 'well' }, at: iso(due + 11 * minutes), identifier };
  expect((await chidi.post(`/survey/${study.survey}/response`, body)).status).toBe(202);
  setClock(due + 30 * minutes);
  await ring(chidi);
  const [, answered] = await history(chidi);
  expect(answered).toMatchObject({ answeredAt: iso(due + 11 * minutes) });
  expect(answered.followUps ?? []).toEqual([]);
  const fresh = await newCase(study, study.editor, 'Again');
  const placed = await study.editor.post(`/set-aside/${identifier}/place`, { case: fresh });
  expect(placed.body).toMatchObject({ notification: sent.identifier });
});

test('of two answers that are set aside at once one reminder has one: the other belongs to none', async () => {
  const study = await offlineStudy();
  const { chidi, editor, night, survey } = study;
  await newPhone(chidi);
  await remind(study, daily);
  await pendingOf(chidi);
  const due = Date.parse((await history(chidi))[0].dueAt);
  setClock(due);
  await ring(chidi);
  setClock(due + 12 * minutes);
  await stateItems(study, 'archive', { cases: [night] }, 'archived');
  setClock(due + 20 * minutes);
  const ids = [newId(), newId()];
  const bodies = ids.map((identifier, n) => ({
    ...{ case: night, items: { q1: 'well' }, identifier },
    at: iso(due + (10 + n) * minutes),
  }));
  const path = `/survey/${survey}/response`;
  const db = interruptedDb(async () => expect((await chidi.post(path, bodies[0])).status).toBe(202));
  expect((await small({}, { db })(chidi, path, bodies[1])).status).toBe(202);
  const fresh = await newCase(study, editor, 'Again');
  const placed = await Promise.all(ids.map((id) => editor.post(`/set-aside/${id}/place`, { case: fresh })));
  const [, sent] = await history(chidi);
  expect(sent).toMatchObject({ answeredAt: iso(due + 10 * minutes) });
  expect(placed.map(({ body }) => body.notification)).toEqual([sent.identifier, undefined]);
});

test('an answer that is set aside is late by its reminder, also in compliance, before and after it is placed', async () => {
  const study = await offlineStudy();
  const { chidi, owner, id } = study;
  await newPhone(chidi);
  await remind(study, { ...daily, answerWithin: 15 });
  await pendingOf(chidi);
  const due = Date.parse((await history(chidi))[0].dueAt);
  setClock(due);
  await ring(chidi);
  setClock(due + 40 * minutes);
  await stateItems(study, 'delete', { cases: [study.night] }, 'deleted');
  setClock(due + 50 * minutes);
  const identifier = newId();
  const body = { case: study.night, items: { q1: 'well' }, at: iso(due + 30 * minutes), identifier };
  expect((await chidi.post(`/survey/${study.survey}/response`, body)).status).toBe(202);
  const expectLate = async () => {
    expect((await history(chidi))[1]).toMatchObject({
      answeredAt: iso(due + 30 * minutes),
      answeredLate: true,
    });
    const { totals, participants } = (await owner.get(`/investigation/${id}/compliance`)).body;
    expect(totals).toMatchObject({ answered: 1, answeredLate: 1 });
    expect(participants).toContainEqual(
      expect.objectContaining({ user: chidi.id, answered: 1, answeredLate: 1 }),
    );
  };
  await expectLate();
  const fresh = await newCase(study, study.editor, 'Again');
  expect((await study.editor.post(`/set-aside/${identifier}/place`, { case: fresh })).status).toBe(201);
  await expectLate();
});

test('an answer that is set aside before its reminder holds it back, until it is discarded', async () => {
  for (const isDiscarded of [false, true]) {
    const study = await offlineStudy();
    const { chidi } = study;
    const phone = await newPhone(chidi);
    await remind(study, { ...daily, unlessAnswered: true });
    await pendingOf(chidi);
    const due = Date.parse((await history(chidi))[0].dueAt) + days;
    setClock(due - days);
    await ring(chidi);
    setClock(due - 2 * hours);
    await stateItems(study, 'delete', { cases: [study.night] }, 'deleted');
    setClock(due - hours);
    const identifier = newId();
    const body = { case: study.night, items: { q1: 'well' }, at: iso(due - 3 * hours), identifier };
    expect((await chidi.post(`/survey/${study.survey}/response`, body)).status).toBe(202);
    if (isDiscarded)
      expect((await study.editor.post(`/set-aside/${identifier}/discard`, {})).status).toBe(204);
    setClock(due);
    await ring(chidi);
    const found = (await history(chidi)).find(({ dueAt }) => dueAt === iso(due));
    expect([found.state, found.reason]).toEqual(isDiscarded ? ['sent', undefined] : ['skipped', 'answered']);
    expect(await phone.inbox()).toHaveLength(isDiscarded ? 1 : 0);
  }
});

test('its bytes are those of the study, of a day of its person, and go with it', async () => {
  const study = await afterAct('left-study');
  const long = 'x'.repeat(60_000);
  const items = { q1: long, q2: long };
  expect((await sendLate(study, { items })).status).toBe(202);
  const [waiting] = await waitingOf(study);
  const exported = linesOf((await study.chidi.get('/user/me/export')).text);
  expect(exported.filter(({ kind }) => kind === 'answer-set-aside')).toMatchObject([
    { identifier: waiting.identifier, reason: 'left-study', items, givenAt: iso(monday) },
  ]);
  expect((await study.editor.post(`/set-aside/${waiting.identifier}/discard`, {})).status).toBe(204);
  expect((await study.chidi.get('/user/me/export')).text).not.toContain(long);
});

test('the list has pages, and is a file', async () => {
  const study = await afterAct('case-deleted');
  const ids = [newId(), newId(), newId()];
  for (const identifier of ids) expect((await sendLate(study, { identifier })).status).toBe(202);
  const path = `/investigation/${study.id}/set-aside`;
  const first = (await study.editor.get(`${path}?limit=2`)).body;
  const second = (await study.editor.get(`${path}?limit=2&cursor=${first.next}`)).body;
  expect([...first.setAside, ...second.setAside].map(({ identifier }) => identifier)).toEqual(ids);
  expect(second.next).toBeUndefined();
  const csv = await study.editor.get(path, { accept: 'text/csv' });
  expect(csv.text.split('\r\n')[1]).toContain('case-deleted');
  const [entry] = (await study.owner.get(`/investigation/${study.id}/activity`)).body.activities;
  expect(entry).toMatchObject({ action: 'data.exported', details: { data: 'set-aside', count: 3 } });
});

test('it goes with its study', async () => {
  const study = await afterAct('study-deleted');
  expect((await sendLate(study)).status).toBe(202);
  setClock(tuesday + 29 * days);
  expect((await study.owner.post(`/investigation/${study.id}/restore`)).status).toBeLessThan(300);
  expect(await waitingOf(study)).toHaveLength(1);
});
