import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database, Spend } from '../../src/db/database.ts';
import type { RateLimits } from '../../src/services.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { type Person, requestOf } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { studyWith } from './support/many-items.ts';

let service: LocalService;
let study: Study & { item: string };
let owner: Person;

/** Tokens that were taken beyond one for each request. */
const charge = vi.fn<(key: string, tokens: number) => void>();
let now = Date.now();

/** While it is closed, reads of cases wait. */
let gate: PromiseWithResolvers<void> | undefined;
let under = 0;
let mostUnder = 0;

/** The same database, behind the gate. */
const gated = (db: Database): Database =>
  Object.assign(Object.create(db) as Database, {
    measured: (spend: Spend) => gated(db.measured(spend)),
    async batch(items: never) {
      if (gate) {
        mostUnder = Math.max(mostUnder, ++under);
        await gate.promise;
        under--;
      }
      return db.batch(items);
    },
  });

const everybody = async () => ({ allowed: true }) as const;
const rateLimits: RateLimits = { user: everybody, address: everybody, code: everybody, enrol: everybody };

beforeAll(async () => {
  service = await localService({}, (services) => ({
    ...services,
    db: gated(services.db),
    now: () => now,
    rateLimits,
  }));
  study = await studyWith(service, { cases: 4_000, responses: 4_000, of: 'work' });
  owner = study.owner;
  rateLimits.charge = charge;
});
afterAll(() => service.dispose());
beforeEach(() => {
  mostUnder = 0;
  charge.mockClear();
});

const ask = async (person: Person, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.app.request(path, requestOf({ token: person.token, headers, method }));
const readerOf = ({ body }: Response) => (body as ReadableStream<Uint8Array>).getReader();
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

async function through<T>(work: () => Promise<T>[], underWay: () => boolean) {
  gate = Promise.withResolvers<void>();
  const asked = work();
  while (!underWay()) await tick();
  for (let n = 0; n < 20; n++) await tick();
  const most = mostUnder;
  gate.resolve();
  gate = undefined;
  return { most, answers: await Promise.all(asked) };
}

describe('requests of one person under way', () => {
  const reads = (count: number) => () =>
    Array.from({ length: count }, () => ask(owner, `/case/${study.item}`));

  test('are four: of the six that a browser sends at once two wait, and all are answered', async () => {
    const { most, answers } = await through(reads(6), () => mostUnder === 4);
    expect(most).toBe(4);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  test('and sixty that wait; the next one is 429 with Retry-After, and others go on', async () => {
    const { answers } = await through(
      () => [...reads(70)(), ask(study.editor, '/user/me')],
      () => mostUnder >= 4,
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 64)).toEqual(Array(64).fill(200));
    expect(statuses.slice(64, 70)).toEqual(Array(6).fill(429));
    expect(statuses[70]).toBe(200);
    expect(Number(answers[64]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await answers[64]?.json())?.code).toBe('rate.limited');
  });

  test('do not count for ever: a request that the runtime has ended leaves its place after a minute', async () => {
    gate = Promise.withResolvers<void>();
    const lost = reads(4)();
    while (mostUnder < 4) await tick();
    const opened = gate;
    gate = undefined;
    now += 60_000;
    expect((await ask(owner, '/user/me')).status).toBe(200);
    opened.resolve();
    await Promise.all(lost);
  });

  test('a refused request leaves its place, whatever the refusal', async () => {
    const refused = ['/case/00', '/investigation/zz/cases?limit=no', '/user/me/export?x=1', '/nowhere'];
    for (let n = 0; n < 3; n++)
      for (const path of refused) expect((await ask(owner, path)).status).toBeGreaterThanOrEqual(400);
    expect((await ask(owner, '/user/me')).status).toBe(200);
  });
});

describe('one export or long list of a person is under way', () => {
  const longOnes = (): [string, Record<string, string>][] => [
    ['/user/me/export', {}],
    [`/investigation/${study.id}/responses`, {}],
    [`/investigation/${study.id}/responses`, { accept: 'text/csv' }],
    [`/investigation/${study.id}/cases`, {}],
    [`/investigation/${study.id}/activity`, { accept: 'application/x-ndjson' }],
  ];

  test('another one is 429; short lists, and the long ones of others, are not', async () => {
    for (const [path, headers] of longOnes()) {
      const first = await ask(owner, path, headers);
      const reader = readerOf(first);
      expect([first.status, (await reader.read()).done]).toEqual([200, false]);
      for (const [other, accept] of longOnes()) {
        const second = await ask(owner, other, accept);
        expect(second.status, `${other} beside ${path}`).toBe(429);
        expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      for (const short of [
        `/investigation/${study.id}/surveys`,
        `/investigation/${study.id}/cases?limit=1000`,
      ])
        expect((await owner.get(short)).status, `${short} beside ${path}`).toBe(200);
      const another = await ask(study.editor, `/investigation/${study.id}/cases`);
      expect(another.status).toBe(200);
      await another.body?.cancel();
      await reader.cancel();
    }
  });

  test('it is over when it was read, cancelled, or only asked for by HEAD', async () => {
    for (const [path, headers] of longOnes())
      for (const end of [(answer: Response) => answer.text(), (answer: Response) => answer.body?.cancel()]) {
        const answer = await ask(owner, path, headers);
        expect(answer.status, path).toBe(200);
        await end(answer);
      }
    for (let n = 0; n < 6; n++)
      for (const [path, headers] of longOnes())
        expect((await ask(owner, path, headers, 'HEAD')).status, path).toBe(200);
  });

  test('a refused download is no entry of the log', async () => {
    const reader = readerOf(await ask(owner, '/user/me/export'));
    await reader.read();
    const entries = async () =>
      (await owner.get(`/investigation/${study.id}/activity?action=data.exported`)).body.activities.length;
    const before = await entries();
    for (const [path, headers] of longOnes()) expect((await ask(owner, path, headers)).status).toBe(429);
    expect(await entries()).toBe(before);
    await reader.cancel();
  });

  test('one whose client has read nothing for a minute gives way', async () => {
    const stalled = readerOf(await ask(owner, '/user/me/export'));
    await stalled.read();
    now += 59_000;
    expect((await ask(owner, '/user/me/export')).status).toBe(429);
    now += 1_000;
    const next = await ask(owner, '/user/me/export');
    expect(next.status).toBe(200);
    await expect(stalled.read()).rejects.toThrow('read nothing');
    await next.text();
  });

  test('it is over when its client hangs up', async () => {
    const server = createAdaptorServer({ fetch: (request) => service.app.fetch(request) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { token } = owner;
    /** The service learns of a client that left a moment later. */
    const begin = async (signal: AbortSignal) => {
      for (;;) {
        const answer = await fetch(`${url}/user/me/export`, { ...requestOf({ token }), signal });
        if (answer.status !== 429) return answer;
        await answer.text();
        await tick();
      }
    };
    for (let n = 0; n < 5; n++) {
      const aborting = new AbortController();
      const answer = await begin(aborting.signal);
      expect(answer.status).toBe(200);
      await readerOf(answer).read();
      aborting.abort();
    }
    await (await begin(new AbortController().signal)).text();
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
});

describe('computing beyond that of a plain request', () => {
  const charged = () => charge.mock.calls.reduce((sum, [, tokens]) => sum + tokens, 0);

  test('takes tokens of the person: of an export, a list, a CSV; a plain read takes none', async () => {
    // On a machine on which each look at the clock takes a millisecond.
    let clock = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => ++clock);
    for (const [path, headers] of [
      ['/user/me/export', {}],
      [`/investigation/${study.id}/responses`, {}],
      [`/investigation/${study.id}/responses`, { accept: 'text/csv' }],
    ] as const) {
      charge.mockClear();
      await (await ask(owner, path, headers)).text();
      // Each row is a look at the clock.
      expect(charged(), path).toBeGreaterThan(4_000 / 10 - 50);
      expect(new Set(charge.mock.calls.map(([key]) => key)).size).toBe(1);
    }
    charge.mockClear();
    await (await ask(owner, `/case/${study.item}`)).text();
    await (await ask(owner, '/user/me')).text();
    expect(charged()).toBe(0);
    vi.restoreAllMocks();
  });

  test('counts what the database did for a request that writes', async () => {
    let clock = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 5));
    const path = `/investigation/${study.id}/lock-matching`;
    const { status } = await owner.post(path, { status: 'locked', filter: { kinds: ['cases'] } });
    expect(status).toBe(200);
    expect(charged()).toBeGreaterThan(0);
    vi.restoreAllMocks();
  });
});
