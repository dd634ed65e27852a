import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { type LockedWorld, lockedWorld, roles } from '../support/worker/locked-worlds.ts';
import { freezeTries } from './support/freeze-tries.ts';
import { lockCases } from './support/lock-cases.ts';

/*
 * Each route that writes, as the proof of locks lists them, is tried in a frozen study: protected rows stay as they are,
 * and routes that would change them answer 423.
 */

/** The rows that a freeze protects. */
async function kept(study: string) {
  const queries = [
    'select * from study_case where investigation_id = ?1 order by id',
    'select * from response where investigation_id = ?1 order by id',
    `select * from response_revision where response_id in (select id from response where investigation_id = ?1)
      order by response_id, number`,
    'select id, name, items, reminders, archived_at from survey where investigation_id = ?1 order by id',
  ];
  const found = await env.DB.batch(queries.map((query) => env.DB.prepare(query).bind(study)));
  return found.map(({ results }) => results);
}

const freeze = ({ study }: LockedWorld, status: string) =>
  study.owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'The proof' });

const send = (person: Person, method: string, path: string, body: unknown) => {
  const call = { POST: person.post, PATCH: person.patch, PUT: person.put, DELETE: person.delete }[method];
  if (!call) throw new Error(`No way to send ${method}`);
  return call(path, body);
};

/** All routes are tried in one study, in an order in which each succeeds. */
let shared: LockedWorld | undefined;

test.each(Object.entries(freezeTries))(
  '%s is refused while the study is frozen, and not otherwise',
  async (route, attempt) => {
    shared ??= await lockedWorld();
    const world = shared;
    const [method = ''] = route.split(' ');
    const [path, body] = attempt(world);
    await freeze(world, 'frozen');
    const before = await kept(world.study.id);
    expectProblem(await send(world.study.owner, method, path, body), 'study.frozen');
    expect(await kept(world.study.id)).toEqual(before);
    await freeze(world, 'active');
    const open = await send(world.study.owner, method, path, body);
    expect(open.status, open.text).toBeLessThan(300);
    expect(await kept(world.study.id)).not.toEqual(before);
  },
);

test.each(roles)('no route changes anything of a frozen study, as %s', async (role) => {
  let world: LockedWorld | undefined;
  let before: unknown;
  for (const [route, lockCase] of Object.entries(lockCases)) {
    if (route.endsWith('/freeze')) continue;
    if (!world) {
      world = await lockedWorld();
      await freeze(world, 'frozen');
      before = await kept(world.study.id);
    }
    const [method = '', path = ''] = route.split(' ');
    for (const { params, body } of await lockCase.tries(world, world.study[role])) {
      const url = path.replace(/:(\w+)/g, (_, name) => params[name] ?? 'missing');
      const answer = await send(world.study[role], method, url, body);
      expect(answer.status, `${route} ${answer.text}`).toBeLessThan(500);
      expect(await kept(world.study.id), route).toEqual(before);
    }
    if (lockCase.spoils) world = undefined;
  }
});
