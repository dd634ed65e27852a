import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, ProblemError } from '../../client/client.ts';
import { forgetCopy, openCopy, replicate } from '../../examples/replicate.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, newStudy, type Study } from '../support/studies.ts';
import { listed, sorted } from './support/copies.ts';

let service: LocalService;
let study: Study;
beforeAll(async () => {
  service = await localService();
  study = await newStudy(service.world);
});
afterAll(() => service.dispose());

/** The client of a person, whose requests after the first `calls` fail. */
const clientOf = ({ token }: Person, calls = Infinity) =>
  createClient({
    baseUrl: 'https://fieldbell.localhost',
    token: () => token,
    retries: 0,
    fetch: async (input, init) => {
      if (calls-- <= 0) throw new Error('killed');
      return service.app.request(input, init);
    },
  });

type Copy = ReturnType<typeof openCopy>;
const thingsOf = (copy: Copy) =>
  new Map(
    copy
      .prepare('select kind, identifier, body from thing')
      .all()
      .map(({ kind, identifier, body }) => [`${kind} ${identifier}`, JSON.parse(String(body))]),
  );

test("Ada's program keeps a copy, goes on where it was killed, and learns of deletions", async () => {
  const { owner, responder, id } = study;
  const copy = openCopy(':memory:');
  const night = await newCase(study, responder);
  for (let n = 0; n < 600; n++) await newResponse(study, responder, night, { q1: `night ${n}` });
  await expect(replicate(clientOf(owner, 1), id, copy)).rejects.toThrow('killed');
  expect(thingsOf(copy).size).toBe(500);
  expect(await replicate(clientOf(owner), id, copy)).toBe(107);
  expect(sorted(thingsOf(copy))).toEqual(sorted(await listed(owner, study)));
  expect(await replicate(clientOf(owner), id, copy)).toBe(0);

  const { responses } = (await owner.get(`/investigation/${id}/responses?limit=3`)).body;
  await owner.post(`/investigation/${id}/delete-items`, {
    responses: responses.map(({ identifier }: { identifier: string }) => ({ identifier })),
    status: 'deleted',
  });
  expect(await replicate(clientOf(owner), id, copy)).toBe(3);
  expect(sorted(thingsOf(copy))).toEqual(sorted(await listed(owner, study)));
  const labels = copy.prepare("select body ->> '$.label' as label from thing where kind = 'case'").all();
  expect(labels.map(({ label }) => label)).toEqual(['Night 1']);
  copy.close();
});

test('a copy that is ahead of a restored database is refused, and made again', async () => {
  const { owner, id } = study;
  const copy = openCopy(':memory:');
  await replicate(clientOf(owner), id, copy);
  copy.prepare('update place set next = next + 1000').run();
  const refused = await replicate(clientOf(owner), id, copy).catch((error) => error);
  expect(refused).toBeInstanceOf(ProblemError);
  expect(refused.code).toBe('request.invalid');
  forgetCopy(copy, id);
  await replicate(clientOf(owner), id, copy);
  expect(sorted(thingsOf(copy))).toEqual(sorted(await listed(owner, study)));
  copy.close();
});

test('a copy of one site begins again when somebody leaves it, and keeps nothing of them', async () => {
  const trial = await newStudy(service.world, { of: 'of two sites' });
  const { owner, editor, responder: chidi, other: dana, id } = trial;
  const path = `/investigation/${id}`;
  await owner.patch(path, { properties: [{ name: 'site', values: ['Lyon', 'Paris'] }] });
  for (const person of [chidi, dana])
    await owner.patch(`${path}/member/${person.id}`, { properties: { site: 'Lyon' } });
  const [night, day] = [await newCase(trial, chidi, 'Night'), await newCase(trial, dana, 'Day')];
  const scoped = await owner.patch(`${path}/member/${editor.id}`, { scope: { site: ['Lyon'] } });
  expect(scoped.status, scoped.text).toBe(200);
  const copy = openCopy(':memory:');
  await replicate(clientOf(editor), id, copy);
  expect([...thingsOf(copy).keys()]).toEqual(expect.arrayContaining([`case ${night}`, `case ${day}`]));
  const moved = await owner.patch(`${path}/member/${dana.id}`, { properties: { site: 'Paris' } });
  expect(moved.status, moved.text).toBe(200);
  await replicate(clientOf(editor), id, copy);
  const kept = [...thingsOf(copy).keys()];
  expect(kept).toContain(`case ${night}`);
  expect(kept).not.toContain(`case ${day}`);
  expect(kept).not.toContain(`member ${dana.id}`);
  expect(await replicate(clientOf(editor), id, copy)).toBe(0);
  copy.close();
});

test('a study with a blinded property is copied by owners alone', async () => {
  const trial = await newStudy(service.world, { of: 'of two arms' });
  const { owner, editor, id } = trial;
  const arm = { name: 'arm', values: ['a', 'b'], blinded: true };
  const blinded = await owner.patch(`/investigation/${id}`, { properties: [arm] });
  expect(blinded.status, blinded.text).toBe(200);
  const copy = openCopy(':memory:');
  await expect(replicate(clientOf(editor), id, copy)).rejects.toMatchObject({ code: 'action.forbidden' });
  expect(thingsOf(copy).size).toBe(0);
  expect(await replicate(clientOf(owner), id, copy)).toBeGreaterThan(0);
  copy.close();
});

test('npm run replicate says how it is used', async () => {
  const run = promisify(execFile)(process.execPath, ['tools/replicate/main.ts']).catch((error) => error);
  expect(await run).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
});
