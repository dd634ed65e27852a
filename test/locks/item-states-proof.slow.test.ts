import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { differences, dump } from '../support/worker/dumps.ts';
import { type LockedWorld, lockedWorld, roles } from '../support/worker/locked-worlds.ts';
import { jobsDone } from '../support/worker/reminders.ts';
import { type LockCase, lockCases } from './support/lock-cases.ts';

/*
 * The proof is generated: the application says which routes it has, and each one that writes must stand in the
 * table of lock cases, which says what it may change of a study whose case and responses are locked.
 */

const writeRoutes = () => {
  const { routes } = createApp(createServices(env), readConfig(env));
  return [
    ...new Set(
      routes
        .filter(({ method }) => !['GET', 'ALL'].includes(method))
        .map(({ method, path }) => `${method} ${path}`),
    ),
  ].sort();
};

test('each route that writes stands in the table of lock cases, and no other does', () => {
  expect(writeRoutes().length).toBeGreaterThan(20);
  expect(Object.keys(lockCases).sort()).toEqual(writeRoutes());
});

test('only middleware answers to every method', () => {
  const { routes } = createApp(createServices(env), readConfig(env));
  // The avatar and the codes of participants have middleware of their own, since they need no token.
  const own = routes.filter(({ method, path }) => method === 'ALL' && !path.endsWith('*'));
  expect(own.filter(({ path }) => !/\/(?:avatar|enrol)$/.test(path))).toEqual([]);
});

describe.each(roles)('as %s', (role) => {
  let world: LockedWorld | undefined;

  test.each(Object.entries(lockCases))('%s changes nothing that is locked', async (route, lockCase) => {
    world ??= await lockedWorld();
    await tryRoute(route, lockCase, world, world.study[role]);
    if (lockCase.spoils) world = undefined;
  });
});

test('each route got through at least once where nothing forbids it', () => {
  expect([...attempted].filter((route) => !succeeded.has(route))).toEqual(['POST /relay/events']);
});

/** Routes that were sent something which is not refused for the lock, and those where it succeeded. */
const attempted = new Set<string>();
const succeeded = new Set<string>();

/** Tables that triggers and plans keep: the feed with its webhooks, and the zones of people. */
const kept = ['change', 'webhook', 'zone_change'];

/** The columns that a lock protects. */
const items = ['study_case', 'response', 'response_revision'];

async function tryRoute(route: string, lockCase: LockCase, world: LockedWorld, actor: Person) {
  const [method = '', path = ''] = route.split(' ');
  const tries = await lockCase.tries(world, actor);
  expect(tries.length).toBeGreaterThan(0);
  for (const attempt of tries) {
    // Work of earlier steps continues after their answers.
    await jobsDone();
    const before = await dump();
    const url = path.replace(/:(\w+)/g, (_, name) => attempt.params[name] ?? 'missing');
    const send = { POST: actor.post, PATCH: actor.patch, PUT: actor.put, DELETE: actor.delete }[method];
    if (!send) throw new Error(`No way to send ${method}`);
    const answer = await send(url, attempt.body);
    const what = `${route} ${JSON.stringify(attempt)}: ${answer.status} ${answer.text}`;
    expect(answer.status, what).toBeLessThan(500);
    if (attempt.refused === undefined) attempted.add(route);
    if (answer.status < 400) succeeded.add(route);
    if (attempt.refused) expect(answer.status, what).toBe(attempt.refused);
    if (answer.status === 423) {
      expect(answer.body.code, what).toBe('item.locked');
      expect(answer.body.errors.length, what).toBeGreaterThan(0);
    }
    const changed = differences(before, await dump());
    for (const table of items)
      for (const row of changed[table]?.gone ?? []) expect(world.isLocked(JSON.parse(row)), what).toBe(false);
    for (const row of changed.response_revision?.new ?? [])
      expect(world.isLocked(JSON.parse(row)), what).toBe(false);
    for (const row of changed.response?.new ?? [])
      expect(world.isLocked({ id: JSON.parse(row).case_id }), what).toBe(false);
    const allowed = answer.status < 400 ? [...(lockCase.changes ?? []), ...kept] : [];
    expect(
      Object.keys(changed).filter((table) => !allowed.includes(table)),
      what,
    ).toEqual([]);
  }
}
