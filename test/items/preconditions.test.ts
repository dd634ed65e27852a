import { beforeEach, describe, expect, test } from 'vitest';
import type { Study } from '../support/studies.ts';
import { hours, later } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/* The version of a study, a survey or the caller on which a change was based: ETags, If-Match, and the archive. */

let study: Study;

beforeEach(async () => {
  study = await sleepStudy();
});

const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') ?? '';

describe.each(['study', 'survey'] as const)('a %s', (noun) => {
  const path = () => (noun === 'study' ? `/investigation/${study.id}` : `/survey/${study.survey}`);

  test('has a strong ETag, which changes with each change and with nothing else', async () => {
    const { owner } = study;
    const first = await owner.get(path());
    expect(tagOf(first)).toMatch(/^"[^"]+"$/);
    expect((await owner.get(path(), { 'if-none-match': tagOf(first) })).status).toBe(304);
    const changed = await owner.patch(path(), { name: 'Other' }, { 'if-match': tagOf(first) });
    expect(changed.status).toBe(200);
    expect(tagOf(changed)).not.toBe(tagOf(first));
    const read = await owner.get(path(), { 'if-none-match': tagOf(first) });
    expect([read.status, tagOf(read), read.body]).toEqual([200, tagOf(changed), changed.body]);
    const same = await owner.patch(path(), { name: 'Other' }, { 'if-match': tagOf(changed) });
    expect([same.status, tagOf(same)]).toEqual([200, tagOf(changed)]);
  });

  test('refuses a change of a stale revision, which changes nothing', async () => {
    const { owner, responder } = study;
    const stale = tagOf(await owner.get(path()));
    const current = tagOf(await owner.patch(path(), { name: 'Other' }));
    await changingNothing(async () => {
      for (const tag of [stale, `W/${current}`, '"x"', `${stale}, "x"`])
        expectProblem(await owner.patch(path(), { name: 'Third' }, { 'if-match': tag }), 'revision.stale');
      expectProblem(await owner.patch(path(), { name: 'Other' }, { 'if-match': stale }), 'revision.stale');
      expectProblem(await owner.patch(path(), { name: 'x' }, { 'if-match': 'x' }), 'request.invalid', [
        '?If-Match',
      ]);
      expectProblem(await responder.patch(path(), { name: 'x' }, { 'if-match': stale }), 'action.forbidden');
    });
    for (const [name, tag] of [
      ['Third', `${stale}, ${current}`],
      ['Fourth', '*'],
    ] as const)
      expect((await owner.patch(path(), { name }, { 'if-match': tag })).body.name).toBe(name);
  });

  test('is changed by one of many that saw the same revision', async () => {
    const { owner } = study;
    const tag = tagOf(await owner.get(path()));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => owner.patch(path(), { name: `Name ${n}` }, { 'if-match': tag })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200)) expectProblem(lost, 'revision.stale');
    expect((await owner.get(path())).body).toEqual(won[0]?.body);
  });

  test('that is archived takes no change, unless the change brings it back', async () => {
    const { owner } = study;
    const archived = await owner.patch(path(), { status: 'archived' });
    await changingNothing(async () => {
      expectProblem(
        await owner.patch(path(), { name: 'Other' }),
        noun === 'study' ? 'study.archived' : 'item.archived',
      );
      const again = await owner.patch(path(), { status: 'archived' });
      expect([again.status, again.body]).toEqual([200, archived.body]);
    });
    const back = await owner.patch(path(), { status: 'active', name: 'Other' });
    expect([back.status, back.body.name]).toEqual([200, 'Other']);
  });
});

test('the ETag of a study is that of what the caller reads: their role is in it', async () => {
  const { owner, editor, id } = study;
  const before = tagOf(await editor.get(`/investigation/${id}`));
  await owner.patch(`/investigation/${id}/member/${editor.id}`, { role: 'owner' });
  const after = await editor.get(`/investigation/${id}`, { 'if-none-match': before });
  expect([after.status, after.body.role]).toEqual([200, 'owner']);
});

test('a study that is frozen, or thawed, has another ETag', async () => {
  const { owner, id } = study;
  for (const status of ['frozen', 'active']) {
    const before = tagOf(await owner.get(`/investigation/${id}`));
    await owner.post(`/investigation/${id}/freeze`, { status, reason: 'Interim analysis' });
    const after = await owner.get(`/investigation/${id}`, { 'if-none-match': before });
    expect([after.status, 'frozenAt' in after.body]).toEqual([200, status === 'frozen']);
  }
});

test('an archived survey cannot be downloaded for the first time, but a repeat is answered as before', async () => {
  const { owner, responder, other, id, survey } = study;
  const download = `/survey/${survey}/download`;
  const first = await responder.post(download);
  for (const [path, code] of [
    [`/survey/${survey}`, 'item.archived'],
    [`/investigation/${id}`, 'study.archived'],
  ] as const) {
    await owner.patch(path, { status: 'archived' });
    await changingNothing(async () => {
      expectProblem(await other.post(download), code);
      expect((await responder.post(download)).body.downloadedAt).toBe(first.body.downloadedAt);
    });
    await owner.patch(path, { status: 'active' });
  }
  expect((await other.post(download)).status).toBe(200);
});

describe('the caller', () => {
  const me = () => study.responder.get('/user/me');

  test('has a strong ETag of all that is shown, which only changes with it', async () => {
    const { responder, owner, id } = study;
    const first = await me();
    expect(tagOf(first)).toMatch(/^"[^"]+"$/);
    const again = await responder.get('/user/me', { 'if-none-match': tagOf(first) });
    expect([again.status, tagOf(again)]).toEqual([304, tagOf(first)]);
    expect(tagOf(await responder.post('/user', { name: 'Somebody' }))).toBe(tagOf(first));
    const tags = [tagOf(first)];
    for (const change of [
      () => responder.patch('/user/me', { name: 'Chidi A.' }),
      () => responder.patch('/user/me', { timeZone: 'Asia/Tokyo' }),
      () => responder.patch('/user/me', { customRemindersTime: '07:15' }),
      () => responder.put('/user/me/pause', { until: new Date(Date.now() + hours).toISOString() }),
      () => responder.put('/user/me/pause', { until: null, investigation: id }),
      () => newPhone(responder),
    ]) {
      const answer = await change();
      const read = await me();
      if ('body' in answer) expect([tagOf(answer), answer.body]).toEqual([tagOf(read), read.body]);
      tags.push(tagOf(read));
    }
    expect(new Set(tags).size).toBe(7);
    later(2 * hours);
    const unpaused = await me();
    expect([unpaused.body.pausedUntil, tags.includes(tagOf(unpaused))]).toEqual([undefined, false]);
    await responder.patch('/user/me', { name: 'Chidi A.', timeZone: 'Asia/Tokyo' });
    await owner.patch(`/investigation/${id}`, { name: 'Other' });
    expect(tagOf(await me())).toBe(tagOf(unpaused));
  });

  test('refuses a change of a stale revision, which changes nothing', async () => {
    const { responder } = study;
    const patch = (change: object, tag: string) => responder.patch('/user/me', change, { 'if-match': tag });
    const stale = tagOf(await me());
    await newPhone(responder);
    const current = tagOf(await me());
    await changingNothing(async () => {
      for (const tag of [stale, `W/${current}`, '"x"', `${stale}, "x"`])
        for (const change of [{ name: 'Other' }, { customRemindersTime: '07:15' }, {}])
          expectProblem(await patch(change, tag), 'revision.stale');
      expectProblem(await patch({ name: 'Other' }, 'x'), 'request.invalid', ['?If-Match']);
    });
    const changed = await patch({ customRemindersTime: '07:15' }, `${stale}, ${current}`);
    expect([changed.status, changed.body.customRemindersTime]).toEqual([200, '07:15']);
    expect((await patch({ name: 'Other' }, '*')).body.name).toBe('Other');
  });

  test.each([
    ['name', (n: number) => ({ name: `Name ${n}` })],
    ['time of reminders', (n: number) => ({ customRemindersTime: `0${n}:15` })],
  ])('is changed by one of many that saw the same revision: %s', async (_, change) => {
    const { responder } = study;
    const tag = tagOf(await me());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => responder.patch('/user/me', change(n), { 'if-match': tag })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200)) expectProblem(lost, 'revision.stale');
    expect((await me()).body).toEqual(won[0]?.body);
  });
});
