import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock } from '../support/studies.ts';
import { type Dump, differences, dump } from '../support/worker/dumps.ts';
import { type LockedWorld, lockedWorld } from '../support/worker/locked-worlds.ts';
import { lockCases, type Try } from './support/lock-cases.ts';

/*
 * The proof of the locks, for the archive: `item-states-proof` ensures that each route that writes is in the table of
 * lock cases. Their requests change nothing of archived items, and create nothing in an archived study.
 */

/** They take items from one state to another, also archived ones. */
const changeStates = /(?:lock|archive|delete)-(?:items|matching)$/;
const routes = Object.entries(lockCases);

async function send(route: string, { params, body }: Try, actor: Person) {
  const [method = '', path = ''] = route.split(' ');
  const url = path.replace(/:(\w+)/g, (_, name) => params[name] ?? 'missing');
  const by = { POST: actor.post, PATCH: actor.patch, PUT: actor.put, DELETE: actor.delete }[method];
  if (!by) throw new Error(`No way to send ${method}`);
  const answer = await by(url, body);
  const what = `${route} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`;
  expect(answer.status, what).toBeLessThan(500);
  return { answer, what };
}

describe.each(['owner', 'editor', 'responder'] as const)('as %s', (role) => {
  let world: LockedWorld | undefined;

  /** The locked items are archived. */
  async function archivedWorld() {
    const made = await lockedWorld();
    const { study, lockedCase, archivedCase, lockedResponse, responseInLockedCase } = made;
    const responses = [lockedResponse, responseInLockedCase];
    await lock(study.owner, study, { cases: [lockedCase, archivedCase], responses }, 'unlocked');
    const archived = await study.owner.post(`/investigation/${study.id}/archive-items`, {
      cases: [{ identifier: lockedCase }],
      responses: responses.map((identifier) => ({ identifier })),
      status: 'archived',
    });
    expect(archived.status, archived.text).toBe(204);
    return made;
  }

  test.each(routes.filter(([route]) => !changeStates.test(route)))(
    '%s changes nothing that is archived',
    async (route, { tries, spoils }) => {
      world ??= await archivedWorld();
      const isArchived = world.isLocked;
      for (const attempt of await tries(world, world.study[role])) {
        const before = await dump();
        const { answer, what } = await send(route, attempt, world.study[role]);
        if (attempt.refused === 423) {
          expect(answer.status, what).toBe(409);
          expect(answer.body.code, what).toBe('item.archived');
        }
        const changed = differences(before, await dump());
        for (const table of ['study_case', 'response', 'response_revision'])
          for (const row of [...(changed[table]?.gone ?? []), ...(changed[table]?.new ?? [])])
            expect(isArchived(JSON.parse(row)), what).toBe(false);
        for (const row of changed.response?.new ?? [])
          expect(isArchived({ id: JSON.parse(row).case_id }), what).toBe(false);
      }
      if (spoils) world = undefined;
    },
  );
});

describe('in an archived study', () => {
  let world: LockedWorld;
  beforeAll(async () => {
    world = await lockedWorld();
  });

  /** The rows of the study, by table. */
  const inStudy = (tables: Dump) =>
    ['study_case', 'response', 'survey', 'member', 'invitation'].flatMap((table) =>
      [...(tables[table] ?? [])]
        .map((row) => JSON.parse(row))
        .filter((row) => row.investigation_id === world.study.id)
        .map((row) => `${table} ${row.id ?? row.user_id ?? row.email}`),
    );

  test.each(routes.filter(([route]) => route !== 'PATCH /investigation/:id'))(
    '%s creates nothing',
    async (route, { tries, spoils }) => {
      const { owner, id } = world.study;
      // Some tries need something new.
      await owner.patch(`/investigation/${id}`, { status: 'active' });
      const attempts = await tries(world, owner);
      await owner.patch(`/investigation/${id}`, { status: 'archived' });
      for (const attempt of attempts) {
        const before = new Set(inStudy(await dump()));
        const { what } = await send(route, attempt, owner);
        expect(
          inStudy(await dump()).filter((thing) => !before.has(thing)),
          what,
        ).toEqual([]);
      }
      if (spoils) world = await lockedWorld();
    },
  );
});
