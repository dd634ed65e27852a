import { describe, expect, test } from 'vitest';
import { linesOf } from '../support/lists.ts';
import { created } from '../support/people.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';
import {
  iso,
  monday,
  newId,
  type OfflineStudy,
  offlineStudy,
  sendLate,
  sendSlowly,
  tuesday,
  waitingOf,
} from './support/late-answers.ts';

/* Phones keep answers to a survey that changes meanwhile. */

const rating = (...values: string[]) => ({
  kind: 'choice',
  options: values.map((value) => ({ value, label: `It was ${value}` })),
});
const asked = [
  { identifier: 'q1', label: 'How did you sleep?' },
  { identifier: 'q2', label: 'And the day?', answer: rating('well', 'badly') },
  { identifier: 'steps', label: 'Steps', answer: { kind: 'number' } },
];
const answered = { q1: 'x', q2: 'well', steps: '12' };
const [q1, q2, steps] = asked as [object, object, object];

/** Changes of an editor, on Tuesday. */
const edits: Record<string, object[]> = {
  'an item is removed': [q2, steps],
  'a value is renamed': [q1, { ...q2, answer: rating('good', 'badly') }, steps],
  'an item is added that needs an answer': [
    ...asked,
    { identifier: 'q3', label: 'New', answer: { kind: 'text', required: true } },
  ],
  'a number has a maximum': [q1, q2, { ...steps, answer: { kind: 'number', max: 10 } }],
  'a kind changes': [q1, q2, { ...steps, answer: { kind: 'yes-no' } }],
  'all items are others': [{ identifier: 'z', label: 'Something else' }],
};

async function editedStudy(items: object[] | undefined, at = tuesday): Promise<OfflineStudy> {
  const study = await offlineStudy();
  await study.editor.patch(`/survey/${study.survey}`, { items: asked });
  setClock(at);
  const { status, text } = await study.editor.patch(`/survey/${study.survey}`, { items });
  expect(status, text).toBe(200);
  return study;
}

describe.each(Object.entries(edits))('an answer of Monday, when on Tuesday %s', (_, items) => {
  test('is stored as it was given, and says that the survey has changed', async () => {
    const study = await editedStudy(items);
    const identifier = newId();
    const { id, owner, chidi } = study;
    const before = (await owner.get(`/investigation/${id}/changes?after=0`)).body.latest;
    const stored = created(await sendLate(study, { items: answered, identifier }));
    const shown = { items: answered, givenAt: iso(monday), outdated: true };
    expect(stored).toMatchObject(shown);
    expect((await chidi.get(`/response/${identifier}`)).body).toMatchObject(shown);
    const { responses } = (await owner.get(`/investigation/${id}/responses`)).body;
    expect(responses[0]).not.toHaveProperty('outdated');
    expect(responses[1]).toMatchObject(shown);
    const { changes } = (await owner.get(`/investigation/${id}/changes?include=body&after=${before}`)).body;
    expect(changes).toMatchObject([{ body: shown }]);
    const csv = await owner.get(`/investigation/${id}/responses`, { accept: 'text/csv' });
    const [head = '', first = '', second = ''] = csv.text.split('\r\n');
    const column = head.split(',').indexOf('outdated');
    expect([first.split(',')[column], second.split(',')[column]]).toEqual(['', 'true']);
    const lines = linesOf((await chidi.get('/user/me/export')).text);
    const exported = lines.filter(({ kind }) => kind === 'response');
    expect(exported.map(({ outdated }) => outdated)).toEqual([false, true]);
  });

  test('is refused as today if it was given after the change', async () => {
    const study = await editedStudy(items);
    await changingNothing(async () =>
      expectProblem(await sendLate(study, { items: answered, at: iso(tuesday) }), 'request.invalid'),
    );
  });

  test('is stored if it was on its way then', async () => {
    const study = await editedStudy(items);
    await changingNothing(async () =>
      expectProblem(await sendSlowly(study, minutes + 1, { items: answered }), 'request.invalid'),
    );
    const stored = created(await sendSlowly(study, minutes, { items: answered }));
    expect(stored).toMatchObject({ items: answered, outdated: true });
  });

  test('is corrected without its kept answers in the way', async () => {
    const study = await editedStudy(items);
    const identifier = newId();
    created(await sendLate(study, { items: answered, identifier }));
    later(minutes);
    const path = `/response/${identifier}`;
    const q1 = { q1: 'changed' };
    const changed = await study.chidi.patch(path, { items: q1 });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      items: { ...answered, ...q1 },
      givenAt: iso(monday),
      outdated: true,
    });
    expectProblem(await study.chidi.patch(path, { items: { q9: 'never asked' } }), 'request.invalid');
  });
});

test('an answer on its way fits the present items: it is theirs, from a clock that is a moment behind', async () => {
  const study = await editedStudy([{ identifier: 'z', label: 'Something else' }]);
  const way = minutes / 2;
  expect(created(await sendSlowly(study, way, { items: { z: 'new' } }))).not.toHaveProperty('outdated');
});

test('a change of the reminders, the name or nothing does not make answers outdated', async () => {
  const study = await editedStudy(undefined);
  await study.editor.patch(`/survey/${study.survey}`, { name: 'Evening', items: asked });
  expect(created(await sendLate(study, { items: answered }))).not.toHaveProperty('outdated');
  expectProblem(await sendLate(study, { items: { q9: 'x' } }), 'request.invalid', ['/items/q9']);
});

test('an answer between two changes is outdated, and one after the last is not', async () => {
  const study = await editedStudy([q2, steps]);
  setClock(tuesday + minutes);
  await study.editor.patch(`/survey/${study.survey}`, { items: [steps] });
  const between = { items: { q2: 'well' }, at: iso(tuesday + minutes / 2) };
  expect(created(await sendLate(study, between))).toMatchObject({ outdated: true });
  const after = { items: { steps: '7' }, at: iso(tuesday + minutes) };
  expect(created(await sendLate(study, after))).not.toHaveProperty('outdated');
});

test('an answer to a survey that is too long for the log is taken, too', async () => {
  const study = await offlineStudy();
  const many = Array.from({ length: 300 }, (_, n) => ({ identifier: `q${n}`, label: 'x'.repeat(900) }));
  const before = await study.editor.patch(`/survey/${study.survey}`, { items: many });
  expect(before.status, before.text.slice(0, 300)).toBe(200);
  setClock(tuesday);
  await study.editor.patch(`/survey/${study.survey}`, { items: many.slice(0, 5) });
  expect(created(await sendLate(study, { items: { q299: 'x' } }))).toMatchObject({ outdated: true });
  const then = await study.chidi.get(`/survey/${study.survey}/items?at=${iso(monday)}`);
  expect(then.body).toMatchObject({ items: null, changedAt: iso(tuesday) });
});

test('an outdated answer to a case that is gone waits, and is placed as it is', async () => {
  const study = await editedStudy(edits['all items are others']);
  await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' });
  const identifier = newId();
  expect((await sendLate(study, { items: answered, identifier })).status).toBe(202);
  expect(await waitingOf(study)).toMatchObject([{ items: answered, outdated: true }]);
  const placed = await study.editor.post(`/set-aside/${identifier}/place`, { case: study.night });
  expect(placed.body).toMatchObject({ items: answered, outdated: true, givenAt: iso(monday) });
});

test('the items of a survey can be read as they were, by who may read it', async () => {
  const study = await editedStudy(edits['a value is renamed']);
  const path = (at: number) => `/survey/${study.survey}/items?at=${iso(at)}`;
  expect((await study.chidi.get(path(monday))).body).toEqual({
    survey: `/survey/${study.survey}`,
    at: iso(monday),
    items: asked,
    changedAt: iso(tuesday),
  });
  const now = (await study.chidi.get(path(tuesday))).body;
  expect(now).toMatchObject({ items: edits['a value is renamed'] });
  expect(now).not.toHaveProperty('changedAt');
  // Those of its creation, before the first edit.
  expect((await study.chidi.get(path(startOfTests - days))).body.items).toHaveLength(2);
  const zoe = (await sleepStudy()).other;
  expectProblem(await zoe.get(path(monday)), 'resource.not-found');
  expectProblem(await study.chidi.get(`/survey/${study.survey}/items?at=Monday`), 'request.invalid', ['?at']);
});
