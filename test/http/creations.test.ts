import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import type { Answer, Person } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily } from '../support/worker/reminders.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

/* Studies and surveys that are created under an identifier of the client's choice, so that it may try again. */

let study: Study;
let eve: Person;

beforeAll(async () => {
  study = await sleepStudy();
  eve = await signUp('Eve');
});

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();
const chosen = () => newIdentifier(Date.now());

describe('a study', () => {
  test('is created once, and found again with what it has become', async () => {
    const { owner } = study;
    const body = { name: 'Naps', timeZone: 'Europe/Paris', identifier: chosen() };
    const first = await owner.post('/investigation', body);
    expect([first.status, first.body.identifier]).toEqual([201, body.identifier]);
    expect(first.headers.get('location')).toBe(`/investigation/${body.identifier}`);

    const again = await changingNothing(() => owner.post('/investigation', body));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('location')).toBeNull();
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));

    // The date that was left out is not part of the content: the day may have ended since.
    later(26 * 60 * minutes);
    expect((await owner.post('/investigation', body)).body).toEqual(first.body);

    const path = `/investigation/${body.identifier}`;
    const renamed = await owner.patch(path, { name: 'Dreams', status: 'archived' });
    const found = await owner.post('/investigation', body);
    expect([found.status, found.body]).toEqual([200, renamed.body]);
    // The case has changed since its creation.
    expectProblem(await owner.post('/investigation', { ...body, name: 'Dreams' }), 'identifier.taken');
  });

  test('of another content, or by someone else, is taken, which tells nothing of it', async () => {
    const { owner, editor } = study;
    const body = { name: 'Naps', timeZone: 'Europe/Paris', identifier: chosen() };
    await owner.post('/investigation', body);
    await owner.post(`/investigation/${body.identifier}/member`, { user: editor.id, role: 'editor' });
    const refused = await changingNothing(async () => [
      await owner.post('/investigation', { ...body, name: 'Other' }),
      await owner.post('/investigation', { ...body, timeZone: 'UTC' }),
      await owner.post('/investigation', { ...body, startsOn: '2027-03-01' }),
      await editor.post('/investigation', body),
      await eve.post('/investigation', body),
      await eve.post('/investigation', { name: 'x', identifier: study.id }),
    ]);
    for (const answer of refused) expectProblem(answer, 'identifier.taken');
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
  });

  test('that its creator has left is taken for them too', async () => {
    const { owner, editor } = study;
    const body = { name: 'Naps', identifier: chosen() };
    await owner.post('/investigation', body);
    const members = `/investigation/${body.identifier}/member`;
    await owner.post(members, { user: editor.id, role: 'owner' });
    await owner.delete(`${members}/me`);
    expectProblem(await owner.post('/investigation', body), 'identifier.taken');
  });

  test('that is created many times at once is one study', async () => {
    const body = { name: 'Naps', identifier: chosen() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => eve.post('/investigation', body)));
    expect(statuses(answers)).toEqual([...Array(7).fill(200), 201]);
    const { body: list } = await eve.get('/investigation');
    expect(list.investigations).toHaveLength(1);
    const rows = await env.DB.prepare('select study_count from user where id = ?').bind(eve.id).all();
    expect(rows.results).toEqual([{ study_count: 1 }]);
  });
});

describe('a survey', () => {
  const path = () => `/investigation/${study.id}/survey`;

  test('is created once, and found again with what it has become', async () => {
    const { owner } = study;
    const given = { name: 'Naps', items: diary, reminders: daily, identifier: chosen() };
    const first = await owner.post(path(), given);
    expect([first.status, first.body.identifier]).toEqual([201, given.identifier]);
    expect(first.headers.get('location')).toBe(`/survey/${given.identifier}`);
    const again = await owner.post(path(), given);
    expect([again.status, again.body]).toEqual([200, first.body]);

    const changed = await owner.patch(`/survey/${given.identifier}`, { name: 'Dreams', reminders: null });
    const found = await owner.post(path(), given);
    expect([found.status, found.body]).toEqual([200, changed.body]);
    expect(found.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  test('of another content, another study, or by someone else, is taken', async () => {
    const { owner, editor, responder } = study;
    const body = { name: 'Naps', items: diary, identifier: chosen() };
    await owner.post(path(), body);
    const own = await eve.post('/investigation', { name: 'Elsewhere' });
    const refused = await changingNothing(async () => [
      await owner.post(path(), { ...body, name: 'Other' }),
      await owner.post(path(), { ...body, items: [] }),
      await owner.post(path(), { ...body, reminders: daily }),
      await editor.post(path(), body),
      await responder.post(path(), body),
      await eve.post(`/investigation/${own.body.identifier}/survey`, body),
    ]);
    for (const answer of refused) expectProblem(answer, 'identifier.taken');
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    expectProblem(await eve.post(path(), body), 'resource.not-found');
  });

  test('that is created many times at once is one survey', async () => {
    const body = { name: 'Naps', items: diary, identifier: chosen() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => study.owner.post(path(), body)));
    expect(statuses(answers)).toEqual([...Array(7).fill(200), 201]);
  });

  test('is found again in an archived study', async () => {
    const body = { name: 'Naps', items: diary, identifier: chosen() };
    const closing = await sleepStudy();
    const surveys = `/investigation/${closing.id}/survey`;
    await closing.owner.post(surveys, body);
    await closing.owner.patch(`/investigation/${closing.id}`, { status: 'archived' });
    expect((await closing.owner.post(surveys, body)).status).toBe(200);
    expectProblem(await closing.owner.post(surveys, { ...body, identifier: chosen() }), 'study.archived');
  });
});
