import { expect, test } from 'vitest';
import { sha256 } from '../support/chains.ts';
import { linesOf } from '../support/lists.ts';
import { diary, type Study } from '../support/studies.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { pendingOf } from '../support/worker/reminders.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { sleepStudy } from '../support/worker/world.ts';

const daily = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};
const complete = { ...daily, ends: null, delay: null, unlessAnswered: false, expiresAfter: 360 };
const activity = async ({ owner, id }: Study) =>
  (await owner.get(`/investigation/${id}/activity`)).body.activities;

test('a survey is made by owners and editors, and read by every member', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  later(1);
  const created = await editor.post(`/investigation/${study.id}/survey`, { name: 'Naps', items: diary });
  const id = created.body.identifier;
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    uri: `/survey/${id}`,
    identifier: id,
    investigation: `investigation/${study.id}`,
    name: 'Naps',
    items: diary,
    reminders: null,
  });
  for (const reader of [owner, editor, responder]) {
    expect((await reader.get(`/survey/${id}`)).body).toEqual(created.body);
    const { body } = await reader.get(`/investigation/${study.id}/surveys`);
    expect(body.investigation).toBe(`investigation/${study.id}`);
    expect(body.surveys.map((row: { identifier: string }) => row.identifier)).toEqual([study.survey, id]);
  }
});

test('an impossible survey is refused by pointer, and nothing is stored', async () => {
  const study = await sleepStudy();
  const before = await dumpTables();
  for (const [change, pointer] of [
    [{ name: '' }, '/name'],
    [{ items: 'q1' }, '/items'],
    [{ items: [{ identifier: 'q 1', label: 'x' }] }, '/items/0/identifier'],
    [{ items: [{ identifier: 'q1' }] }, '/items/0/label'],
    [{ items: [...diary, diary[0]] }, '/items/2/identifier'],
    [{ items: [{ identifier: 'q1', label: 'x', type: 'text' }] }, '/items/0/type'],
    [{ reminders: { ...daily, recurrence: '@daily' } }, '/reminders/recurrence'],
    [{ reminders: { ...daily, type: 'weekly' } }, '/reminders/type'],
    [{ reminders: { ...daily, notification: { subject: 'x' } } }, '/reminders/notification/body'],
    [{ reminders: { ...daily, every: 1 } }, '/reminders/every'],
    [{ investigation: study.id }, '/investigation'],
  ] as const)
    for (const answer of [
      await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Naps', items: diary, ...change }),
      await study.owner.patch(`/survey/${study.survey}`, change),
    ])
      expect([answer.status, answer.body.errors?.[0].pointer], JSON.stringify(change)).toEqual([
        400,
        pointer,
      ]);
  expect(await dumpTables()).toEqual(before);
});

test('reminders are shown complete; setting and changing them is logged, repeating them is not', async () => {
  const study = await sleepStudy(daily);
  const { owner, editor } = study;
  expect((await owner.get(`/survey/${study.survey}`)).body.reminders).toEqual(complete);
  expect((await activity(study))[0]).toMatchObject({
    actor: owner.id,
    action: 'survey.reminders-changed',
    details: { survey: study.survey, before: { reminders: null }, after: { reminders: complete } },
  });
  const before = await activity(study);
  const same = await editor.patch(`/survey/${study.survey}`, { reminders: { ...daily, ends: null } });
  expect(same.body.reminders).toEqual(complete);
  expect(await activity(study)).toEqual(before);

  await editor.patch(`/survey/${study.survey}`, { reminders: null });
  expect((await activity(study))[0]).toMatchObject({
    actor: editor.id,
    action: 'survey.reminders-changed',
    details: { survey: study.survey, before: { reminders: complete }, after: { reminders: null } },
  });
  expect(await activity(study)).toHaveLength(before.length + 1);
});

test('a changed name or items are logged, old and new, and nothing else', async () => {
  const study = await sleepStudy(daily);
  const before = await activity(study);
  const items = [...diary, { identifier: 'q3', label: 'Coffee?' }];
  await study.editor.patch(`/survey/${study.survey}`, { name: 'Log book', items, reminders: daily });
  const [entry, ...rest] = await activity(study);
  expect(rest).toEqual(before);
  expect(entry).toMatchObject({ actor: study.editor.id, action: 'survey.changed', cases: [], responses: [] });
  expect(entry.details).toEqual({
    survey: study.survey,
    before: { name: 'Diary', items: diary },
    after: { name: 'Log book', items },
  });

  await study.owner.patch(`/survey/${study.survey}`, { name: 'Diary', reminders: null });
  expect((await activity(study))[0]).toMatchObject({
    action: 'survey.reminders-changed',
    details: { before: { name: 'Log book', reminders: complete }, after: { name: 'Diary', reminders: null } },
  });
  const after = await activity(study);
  await study.owner.patch(`/survey/${study.survey}`, { name: 'Diary', items });
  expect(await activity(study)).toEqual(after);
});

test('a change too long for the log is told by its length and its SHA-256', async () => {
  const study = await sleepStudy();
  const label = 'é'.repeat(450);
  const items = Array.from({ length: 1000 }, (_, n) => ({ identifier: `q${n}`, label: label + n }));
  for (const name of ['first', 'second'])
    expect(
      (
        await study.owner.patch(`/survey/${study.survey}`, {
          items: items.map((item) => ({ ...item, label: item.label + name })),
        })
      ).status,
    ).toBe(200);
  const [{ details }] = await activity(study);
  const digest = { characters: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(details).toEqual({ survey: study.survey, before: { items: digest }, after: { items: digest } });
  expect(details.before.items).toEqual((await activity(study))[1].details.after.items);
  expect(details.before.items.sha256).not.toBe(details.after.items.sha256);
  const text = JSON.stringify(
    items.map(({ identifier, label }) => ({ identifier, label: `${label}second` })),
  );
  expect(details.after.items).toEqual({ characters: text.length, sha256: await sha256(text) });
});

test('a renamed survey keeps its reminders, whatever happens to them at the same time', async () => {
  const study = await sleepStudy();
  for (let n = 0; n < 3; n++) {
    const reminders = { ...complete, expiresAfter: 100 + n };
    const answers = await Promise.all([
      study.owner.patch(`/survey/${study.survey}`, { name: `Diary ${n}` }),
      study.editor.patch(`/survey/${study.survey}`, { reminders }),
      study.owner.patch(`/survey/${study.survey}`, { items: [...diary, { identifier: `n${n}`, label: '' }] }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const { body } = await study.owner.get(`/survey/${study.survey}`);
    expect(body).toMatchObject({ name: `Diary ${n}`, reminders });
    expect(body.items[2].identifier).toBe(`n${n}`);
  }
  const { survey } = await dumpTables();
  expect(survey?.find((row) => row.id === study.survey)?.reminders_revision).toBe(3);
  expect((await study.owner.get(`/investigation/${study.id}/activity/verify`)).body.valid).toBe(true);
});

test('an archived survey says so, is logged, and reminds nobody until it returns', async () => {
  const study = await sleepStudy(daily);
  await pendingOf(study.responder);
  const archived = await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' });
  expect(archived.body.archivedAt).toBe('2027-03-01T08:00:00.000Z');
  expect((await activity(study))[0]).toMatchObject({
    action: 'survey.changed',
    details: { survey: study.survey, before: { status: 'active' }, after: { status: 'archived' } },
  });
  await pendingOf(study.responder, 0);
  later(minutes);
  expect((await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' })).body).toEqual(
    archived.body,
  );
  const active = await study.editor.patch(`/survey/${study.survey}`, { status: 'active' });
  expect(active.body).not.toHaveProperty('archivedAt');
  await pendingOf(study.responder);
});

test('the first download of a survey counts, however many come at once', async () => {
  const study = await sleepStudy();
  const download = () => study.responder.post(`/survey/${study.survey}/download`);
  const answers = await Promise.all([download(), download(), download()]);
  later(5 * minutes);
  answers.push(await download());
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ identifier: study.survey, downloadedAt: '2027-03-01T08:00:00.000Z' });
  }
  const lines = linesOf((await study.responder.get('/user/me/export')).text);
  expect(lines.filter(({ kind }) => kind === 'download')).toHaveLength(1);
  later(minutes);
  const other = await study.other.post(`/survey/${study.survey}/download`);
  expect(other.body.downloadedAt).toBe('2027-03-01T08:06:00.000Z');
});
