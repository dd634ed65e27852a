import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Exchange } from '../contract/checker.ts';
import { Random } from '../support/random.ts';
import { draws, seed } from '../support/seed.ts';
import { easyPush, newApp } from '../support/worker/apps.ts';
import { exchange, violations } from '../support/worker/contract.ts';
import { dumpTables, restoreTables, type Tables } from '../support/worker/tables.ts';
import { curl, type Made, makeRequest, type Route, routesOf } from './support/fuzz/requests.ts';
import { canary, type FuzzWorld, fuzzWorld } from './support/fuzz/worlds.ts';

const count = draws(4_000);

/** How many requests start from the same world, and how many run at once. */
const round = 400;
const concurrency = 8;

test(`${count} requests made from the document: no fault, no answer outside it, nobody else's data, no locked item changed`, async () => {
  const world = await fuzzWorld();
  await sweep(createServices(env));
  const before = await dumpTables();
  const { app } = fuzzedApp();
  const document = await (await app.request('/openapi.json')).json();
  const routes = routesOf(document as never);
  const random = new Random(seed);
  const statuses = new Map<string, Set<number>>();
  const guarded = guardedRows(world);

  // A run of refusals proves nothing: routes that never succeeded are tried for as long again.
  const succeeds = ({ operation: { operationId } }: Route) =>
    unlikely.includes(operationId) || [...(statuses.get(operationId) ?? [])].some((status) => status < 400);
  const lacking = () => routes.filter((route) => !succeeds(route));

  for (let sent = 0; sent < count || (sent < count * 2 && lacking().length > 0); sent += round) {
    const asked = sent < count ? routes : lacking();
    const requests = Array.from({ length: round }, () =>
      allowed(world, random, () => {
        const made = makeRequest(random.pick(asked), random, world.vocabulary);
        const token = random.pick(world.tokens);
        if (token !== undefined) made.headers.authorization = `Bearer ${token}`;
        return made;
      }),
    );
    const answers = await sendAll(requests);
    const wrong = await faults(requests, answers);
    expect(wrong, `TEST_SEED=${seed}, requests ${sent} to ${sent + round}`).toEqual([]);
    for (const [n, { operation }] of requests.entries())
      statuses.set(operation, (statuses.get(operation) ?? new Set()).add(answers[n]?.status ?? 0));

    const after = await dumpTables();
    const changes = requests.filter((made, n) => made.method !== 'GET' && (answers[n]?.status ?? 0) < 400);
    expect(
      guarded(after),
      `TEST_SEED=${seed}, after request ${sent + round}; one of\n${changes.map(curl).join('\n')}\n`,
    ).toEqual(guarded(before));
    await restoreTables(before, after);
  }

  if (count >= 5_000) expect(lacking().map(({ operation }) => operation.operationId)).toEqual([]);
});

/** They need what the world does not have: a token of the operator's, a signed event, a push that went out. */
const unlikely = [
  'metrics',
  'receiveRelayEvent',
  'readNotification',
  'createReceipt',
  'createReceipts',
  'snoozeNotification',
];

/** Another isolate: nobody is remembered in it. No phone is real, and nothing goes on after an answer. */
const fuzzedApp = () =>
  newApp({
    push: { ...createServices(env).push, ...easyPush, receive: async () => ({ state: 'off' }) },
    defer: () => {},
    webhooks: {
      faultOf: async (url) => (await createServices(env).webhooks?.faultOf(url)) ?? null,
      call: async () => ({ status: 204 }),
      goOn: async () => {},
      maxCalls: 1,
      maxConcurrent: 1,
    },
    page: async () => '<!doctype html>',
  });

async function sendAll(requests: Made[]): Promise<Exchange[]> {
  const { app } = fuzzedApp();
  const answers: Exchange[] = [];
  for (let from = 0; from < requests.length; from += concurrency)
    answers.push(
      ...(await Promise.all(
        requests.slice(from, from + concurrency).map(async ({ method, path, ...init }) => {
          const response = await app.request(`https://fieldbell.localhost${path}`, { method, ...init });
          return exchange(method, path, response, await response.text());
        }),
      )),
    );
  return answers;
}

/** The faults of the answers, each with the line that repeats the request. */
async function faults(requests: Made[], answers: Exchange[]): Promise<string[]> {
  const found = await violations(answers);
  return answers.flatMap(({ status, body }, n) => {
    const wrong = [...(found[n] ?? [])];
    if (status >= 500) wrong.push(`answered ${status}`);
    if (body.includes(canary)) wrong.push("shows another study's data");
    if (wrong.length === 0) return [];
    return [`${wrong.join('; ')}\n${curl(requests[n] as Made)}\n${status} ${body.slice(0, 500)}`];
  });
}

/**
 * A request that leaves the callers and the locks in their places: unlocking a guarded item is anybody's right, and
 * who deletes themselves asks for little more, so that few may.
 */
function allowed({ locked, vocabulary }: FuzzWorld, random: Random, make: () => Made): Made {
  for (;;) {
    const made = make();
    const { operation, method, path, body = '' } = made;
    const unlocks =
      /unlocked/.test(body) &&
      (path.includes('/lock-matching') ||
        (path.includes('/lock-items') &&
          vocabulary.identifiers.some((id) => body.includes(id) && locked.isLocked({ id }))));
    const leaves = operation === 'deleteUser' || (operation === 'removeMember' && method === 'DELETE');
    if (!unlocks && (!leaves || random.chance(0.1))) return made;
  }
}

/** The rows of locked items, of their revisions, and all of the other study's. */
function guardedRows({ locked, foreign }: FuzzWorld) {
  const responses = [locked.lockedResponse, locked.responseInLockedCase, foreign.response];
  const guarded: [table: string, column: string, values: string[]][] = [
    ['study_case', 'id', [locked.lockedCase, locked.archivedCase, foreign.case]],
    ['response', 'id', responses],
    ['response_revision', 'response_id', responses],
    ['investigation', 'id', [foreign.study]],
    ['survey', 'investigation_id', [foreign.study]],
    ['activity', 'investigation_id', [foreign.study]],
    ['device', 'id', [foreign.device]],
  ];
  return (tables: Tables) =>
    guarded.map(([table, column, values]) =>
      (tables[table] ?? []).filter((row) => values.includes(String(row[column]))),
    );
}
