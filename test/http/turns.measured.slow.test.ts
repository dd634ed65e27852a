import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, localService, longestTurn, plainRead } from '../support/local-service.ts';
import { type Call, type Person, requestOf } from '../support/people.ts';
import { newCase, newStudy, type Study } from '../support/studies.ts';

/** In plain reads: the CPU of one turn of a request. A tenth of a second is 350 of them, at 0.28 ms each. */
const bound = 350;

/** With the one that the test creates, as many as one call locks. */
const cases = 19_999;
const responses = 80_000;

let service: LocalService;
let study: Study;
let item: string;
let unit: number;

beforeAll(async () => {
  service = await localService();
  study = await newStudy(service.world);
  const { owner } = study;
  item = await newCase(study, owner);
  unit = await plainRead(() => owner.get(`/case/${item}`));
  const numbers = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
  const id = (prefix: string) => `'${prefix}' || printf('%028x', n)`;
  await service.client.execute({
    sql: `${numbers} insert into study_case
      (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
      select ${id('ca5e')}, ?2, ?3, 'Night ' || n, 0, '{}', n, n, ${id('0001')} from counter`,
    values: [cases, study.id, owner.id],
  });
  await service.client.execute({
    sql: `${numbers} insert into response
      (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
      select ${id('4e50')}, ?2, ?3, ?4, ?5, '{"q1":"well"}', '{}', n, n, ${id('0002')} from counter`,
    values: [responses, study.id, study.survey, item, study.responder.id],
  });
  await service.client.execute(`insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`);
});
afterAll(() => service.dispose());

/** Reads an answer as it comes, without a look at it. */
async function ask(person: Person, path: string, call: Call = {}) {
  const answer = await service.app.request(path, requestOf({ token: person.token, ...call }));
  let bytes = 0;
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += piece.length;
  return { status: answer.status, bytes };
}

const change = (status: string) =>
  ask(study.owner, `/investigation/${study.id}/lock-matching`, {
    method: 'POST',
    body: { status, filter: {} },
  });
const list = (headers = {}) => ask(study.owner, `/investigation/${study.id}/responses`, { headers });

test.each([
  ['locks them', () => change('locked')],
  ['lists them', () => list()],
  ['writes them as CSV', () => list({ accept: 'text/csv' })],
  ['exports them', () => ask(study.responder, '/user/me/export')],
  ['unlocks them', () => change('unlocked')],
] as const)('a request over 100,000 items that %s lets others have a turn', async (what, request) => {
  const began = performance.now();
  const { result, longest } = await longestTurn(request);
  const whole = performance.now() - began;
  console.log(
    `${what}: ${longest.toFixed(0)} of ${whole.toFixed(0)} ms at once; a read takes ${unit.toFixed(2)} ms`,
  );
  expect(result.status).toBe(200);
  expect(longest / unit).toBeLessThan(bound);
});

test('a read is answered while items are locked, and finds them as they were before', async () => {
  const locking = change('locked');
  let [during, answered] = [0, false];
  const done = locking.then(() => {
    answered = true;
  });
  while (!answered) {
    const { status, body } = await study.owner.get(`/investigation/${study.id}/cases?limit=1&locked=true`);
    expect(status).toBe(200);
    if (!answered && body.cases.length === 0) during++;
    await new Promise((resolve) => setTimeout(resolve));
  }
  await done;
  expect(during).toBeGreaterThan(3);
  expect(
    (await study.owner.get(`/investigation/${study.id}/cases?limit=1&locked=true`)).body.cases,
  ).toHaveLength(1);
  const { status } = await study.owner.patch(`/case/${item}`, { label: 'Changed' });
  expect(status).toBe(423);
});

test('while another process has locked the file, the service is alive, not ready, and says why', async () => {
  const other = new DatabaseSync(service.path);
  const get = async (path: string) => {
    const { result, longest } = await longestTurn(() => service.world.send(path));
    return { ...result, longest };
  };
  const causes = async () => (await get('/health/ready')).body.causes;
  expect(await causes()).not.toContain('database');
  other.exec('begin immediate');
  const began = performance.now();
  const writes = Array.from({ length: 30 }, (_, n) =>
    newCase(study, study.owner, `Night ${n}`).catch(String),
  );
  expect((await get('/health')).status).toBe(200);
  for (const error of await Promise.all(writes)) expect(error).toContain('database.overloaded');
  expect(performance.now() - began, 'each would wait for half a second').toBeLessThan(10_000);
  const { status, body } = await get('/health/ready');
  expect([status, body.causes]).toEqual([503, expect.arrayContaining(['database'])]);
  other.exec('rollback');
  other.close();
  await newCase(study, study.owner, 'At last');
  expect(await causes()).not.toContain('database');
});
