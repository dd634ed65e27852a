import { env } from 'cloudflare:workers';
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { linesOf, ndjson } from '../support/lists.ts';
import { type Person, requestOf } from '../support/people.ts';
import { lock, newCase, type Study } from '../support/studies.ts';
import { readChecked } from '../support/worker/contract.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { readLog, seedEntries } from '../support/worker/logs.ts';
import { sleepStudy } from '../support/worker/world.ts';

const path = ({ id }: Study) => `/investigation/${id}/activity`;

test('the whole log comes as lines, oldest first, each as it is answered elsewhere', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const night = await newCase(study, owner);
  await lock(owner, study, { cases: [night] });
  await seedEntries(study, 2500);
  const { status, headers, text } = await editor.get(path(study), ndjson);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  expect(headers.get('vary')).toMatch(/accept/i);
  const lines = linesOf(text);
  // The last one is the export itself.
  expect(lines).toHaveLength(2505);
  expect(lines.at(-1)).toMatchObject({ action: 'data.exported', actor: editor.id, details: { count: 2505 } });
  expect(lines).toEqual(await readLog(study, owner));
  expectProblem(await responder.get(path(study), ndjson), 'action.forbidden');
  const elsewhere = await sleepStudy();
  expectProblem(await elsewhere.owner.get(path(study), ndjson), 'resource.not-found');
});

test('a page is read when the one before it has been taken, so that memory stays flat', async () => {
  const study = await sleepStudy();
  await seedEntries(study, 10_000);
  const { counts, request } = countedApp();
  await request(study.owner, 'GET', '/user/me');
  const before = { ...counts };
  const answer = await request(study.owner, 'GET', path(study), undefined, ndjson);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  expect(first.value?.length).toBeLessThan(1_000_000);
  expect(counts.roundTrips - before.roundTrips).toBeLessThanOrEqual(5);
  await reader.cancel();
  expect(counts.roundTrips - before.roundTrips).toBeLessThanOrEqual(6);
});

/** An application that signs heads with the key of local mode, or with none. */
function appWith(
  settings: Partial<Record<'AUDIT_SIGNING_KEY' | 'PARTICIPANT_SIGNING_KEY', string | undefined>> = {},
) {
  const app = createApp(createServices(env), readConfig({ ...env, ...settings }));
  return async (url: string, by?: Person) =>
    readChecked('GET', url, await app.request(url, requestOf({ token: by?.token })));
}

test('a head says how far the log goes, and is signed with the key that everyone can read', async () => {
  const study = await sleepStudy();
  const get = appWith();
  const { body: head } = await get(`${path(study)}/head`, study.editor);
  const newest = (await readLog(study, study.owner)).at(-1);
  const { jws, ...said } = head;
  expect(said).toEqual({
    investigation: `investigation/${study.id}`,
    position: newest.position,
    hash: newest.hash,
    at: '2027-03-01T08:00:00.000Z',
  });
  const { body: set, headers } = await get('/.well-known/jwks.json');
  expect(headers.get('content-type')).toMatch(/json/);
  // Beside the key of participants' tokens.
  expect(set.keys).toHaveLength(2);
  const { kid } = decodeProtectedHeader(jws);
  const key = set.keys.find((one: { kid: string }) => one.kid === kid);
  expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  const verified = await compactVerify(jws, await importJWK(key, 'EdDSA'));
  expect(verified.protectedHeader).toEqual({ alg: 'EdDSA', kid: key.kid });
  expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual(said);
  expectProblem(await get(`${path(study)}/head`, study.responder), 'action.forbidden');
});

test('without a key there is a problem that says so, and an empty key set', async () => {
  const study = await sleepStudy();
  const get = appWith({ AUDIT_SIGNING_KEY: undefined, PARTICIPANT_SIGNING_KEY: undefined });
  expectProblem(await get(`${path(study)}/head`, study.owner), 'audit.not-signed');
  expectProblem(await get(`${path(study)}/head`, study.responder), 'action.forbidden');
  expect((await get('/.well-known/jwks.json')).body).toEqual({ keys: [] });
});
