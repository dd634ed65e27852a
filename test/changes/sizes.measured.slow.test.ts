import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { openCopy, replicate } from '../../examples/replicate.ts';
import { query } from '../../src/db/query.ts';
import type { WebhookRequest } from '../../src/services.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery.ts';
import { cpuOf, type LocalService, localService } from '../support/local-service.ts';
import { created } from '../support/people.ts';
import { newCase, newResponse, newStudy, type Study } from '../support/studies.ts';

let service: LocalService | undefined;
afterEach(async () => {
  await service?.dispose();
  service = undefined;
});

/** Copies a response of the study so often that there are `count` more. */
async function addResponses({ client }: LocalService, study: Study, count: number) {
  await newResponse(study, study.responder, await newCase(study, study.responder), {
    q1: 'well',
    q2: '07:15',
  });
  const columns = (await client.query('select name from pragma_table_info(?)', ['response'])).map(
    ({ name }) => String(name),
  );
  const values = columns.map((name) => (name === 'id' ? `printf('%032x', 1000 + i)` : name));
  await client.execute(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into response (${columns.join(', ')}) select ${values.join(', ')} from n, response
    where response.investigation_id = '${study.id}'`);
}

test('100,000 items are copied in under ten seconds of CPU', async () => {
  service = await localService();
  const study = await newStudy(service.world);
  await addResponses(service, study, 100_000);
  const { app } = service;
  const client = createClient({
    baseUrl: 'https://fieldbell.localhost',
    token: () => study.owner.token,
    fetch: async (input, init) => app.request(input, init),
  });
  const copy = openCopy(':memory:');
  const began = performance.now();
  const { result, cpu } = await cpuOf(() => replicate(client, study.id, copy));
  console.log(`copied in ${Math.round(performance.now() - began)} ms, ${Math.round(cpu)} ms of CPU`);
  expect(result).toBeGreaterThan(100_000);
  expect(cpu).toBeLessThan(10_000);
  copy.close();
});

test('a page of 500 with bodies costs at most twice a bare route that reads the same rows', async () => {
  service = await localService();
  const study = await newStudy(service.world);
  await addResponses(service, study, 600);
  const { app, services } = service;
  const { db } = services;
  const floor = new Hono().get('/', async (c) => {
    const rows = await query<Record<string, string>>(
      db,
      `select c.sequence, c.kind, c.identifier, c.state, c.at, c.revision_id as revision, r.created_at as creation,
          r.survey_id as survey, r.case_id as "case", r.responder_id as responder, u.name, r.given_at as givenAt,
          r.locked_at as lockedAt, r.archived_at as archivedAt, r.revised_at as revisedAt, r.notification, r.late,
          r.items, r.reasons,
          (select m.code from member_code m where m.investigation_id = c.investigation_id and m.user_id = u.id) as code
        from change c join response r on r.id = c.identifier join user u on u.id = r.responder_id
        where c.investigation_id = :study and c.sequence > 50 order by c.sequence limit 500`,
      { study: study.id },
      { items: JSON.parse, reasons: JSON.parse },
    );
    return c.json({
      changes: rows.map(({ sequence, kind, identifier, state, at, revision, ...body }) => {
        const times = { creation: new Date(body.creation ?? 0).toISOString() };
        return {
          sequence,
          kind,
          identifier,
          state,
          at: new Date(at ?? 0).toISOString(),
          revision,
          body: { ...body, ...times },
        };
      }),
    });
  });
  const headers = { authorization: `Bearer ${study.owner.token}` };
  const ask = async (which: 'page' | 'floor') => {
    const path = `/investigation/${study.id}/changes?after=50&limit=500&include=body`;
    const answer = await (which === 'page' ? app.request(path, { headers }) : floor.request('/'));
    const { changes } = (await answer.json()) as { changes: unknown[] };
    expect(changes).toHaveLength(500);
  };
  const times = { page: [] as number[], floor: [] as number[] };
  for (let n = 0; n < 120; n++)
    for (const which of ['page', 'floor'] as const) times[which].push((await cpuOf(() => ask(which))).cpu);
  // Nothing makes one look cheaper than it is.
  const [page, base] = [Math.min(...times.page), Math.min(...times.floor)];
  const ratio = page / base;
  console.log(`a page: ${page} ms, its floor: ${base} ms, ${ratio.toFixed(2)} times`);
  expect(ratio).toBeLessThan(2);
});

test('a million changes catch up within ten minutes, at 100 ms a call', async () => {
  const clock = { ms: Date.now() };
  const calls: { at: number; from: number; through: number }[] = [];
  const due: Promise<void>[] = [];
  service = await localService({}, (services) => {
    const changed: typeof services = {
      ...services,
      now: () => clock.ms,
      webhooks: {
        faultOf: async () => null,
        maxCalls: 150,
        maxConcurrent: 4,
        async call({ body }: WebhookRequest) {
          const { changes, next } = JSON.parse(body);
          calls.push({ at: clock.ms, from: changes[0].sequence, through: next });
          clock.ms += 100;
          return { status: 204 };
        },
        // As on Cloudflare: another invocation.
        goOn: async (webhook) => {
          due.push(Promise.resolve().then(() => deliverWebhooks(changed, webhook)));
        },
      },
    };
    return changed;
  });
  const study = await newStudy(service.world);
  const { owner, id } = study;
  const hook = created(
    await owner.post(`/investigation/${id}/webhook`, { url: 'https://hooks.example.org/' }),
  );
  // A million writes: half a million things, each created and then changed.
  const things = 500_000;
  await service.client.execute(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${things})
    insert into change select '${id}', 1000000 + i, 'case', printf('%032x', i), 'active', 0, null, null from n`);
  await service.client.execute(
    `update change set sequence = sequence + ${things}, state = 'locked' where investigation_id = '${id}' and sequence > 1000000`,
  );
  await service.client.execute(`update webhook set next_attempt_at = 0`);
  const began = clock.ms;
  await deliverWebhooks(service.services);
  while (due.length > 0) await due.shift();
  const now = (await owner.get(`/webhook/${hook.identifier}`)).body;
  expect(now).toMatchObject({ state: 'active', position: 1_000_000 + 2 * things, latest: now.position });
  expect(calls).toHaveLength(things / 100);
  for (const [n, { from }] of calls.entries()) expect(from).toBeGreaterThan(calls[n - 1]?.through ?? 0);
  expect(clock.ms - began).toBeLessThan(10 * 60_000);
});
