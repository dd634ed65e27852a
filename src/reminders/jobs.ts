import { breathe } from '../breathe.ts';
import { rootMessage } from '../errors.ts';
import type { Services } from '../services.ts';
import { deliverSlice, type SliceServices } from './deliver.ts';
import { noteUserZones } from './effective-zone.ts';
import { many } from './wake.ts';
import { putBack, selectWakes, walkPage } from './walk.ts';

/** Cursors of one slice of plans: with their texts half a megabyte. */
const maxCursors = 100;

/** Cursors whose plans a request waits for. The rest is planned after its answer. */
const awaited = 25;

/** Pages of woken cursors that one walk takes: each takes some twenty statements, of the thousand that D1 grants an invocation. */
const maxPages = 30;

/**
 * Looks at what a request has woken: one user's plans are there when this resolves, those of many people after the answer.
 * Never rejects: what is not looked at stays due, and the sweep finds it.
 */
export async function planWoken(services: Services, woken: ReadonlySet<string>): Promise<void> {
  const users = [...woken].filter((user) => user !== many);
  const attempt = (work: () => Promise<unknown>) =>
    work().catch((error) => services.log({ event: 'look.failed', error: rootMessage(error) }));
  if (users.length > 0)
    await attempt(async () => {
      if (await planUsers(services, users, awaited))
        services.defer(() => attempt(() => planAll(services, users)) as Promise<void>);
    });
  if (woken.has(many)) services.defer(() => attempt(() => walkWakes(services)) as Promise<void>);
}

/** Plans what is due of these users, and arms their alarms. */
export async function planAll(services: Services, users: readonly string[]): Promise<void> {
  // Others have a turn after each hundred: a database in the process itself lets nobody in between.
  while (await planUsers(services, users, maxCursors)) await breathe();
}

/** The same for at most `limit` cursors. Returns whether more are due. */
async function planUsers(services: Services, users: readonly string[], limit: number): Promise<boolean> {
  await noteUserZones({ db: services.db, now: services.now() }, users);
  const { claimed, deferred, polls } = await deliverSlice(services, { users, limit, planOnly: true });
  await armAll(services, polls);
  // Those that are deferred come first again.
  return claimed === limit && deferred < claimed;
}

async function armAll({ alarms }: Services, polls: readonly { user: string; at: number | null }[]) {
  await Promise.all(polls.map(({ user, at }) => (at === null ? undefined : alarms.arm(user, at))));
}

/**
 * Walks the rows of `wake`, a page of each in turn: wakes their cursors, and has them planned. A row that fails waits for the
 * next walk, behind the others.
 */
export async function walkWakes(services: Services, pages = maxPages): Promise<void> {
  const { db, now, planElsewhere = (users) => planAll(services, users) } = services;
  const failed: string[] = [];
  for (let left = pages; left > 0; ) {
    const rows = await selectWakes(db, now(), failed);
    if (rows.length === 0) return;
    for (const row of rows.slice(0, left)) {
      left--;
      try {
        await walkPage({ db, now: now() }, row, planElsewhere);
      } catch (error) {
        services.log({ event: 'look.failed', error: rootMessage(error) });
        failed.push(row.id);
        await putBack(db, row);
      }
    }
  }
}

/**
 * Delivers to one user what is due, or the first of very much. Returns when to look next (epoch ms), or null. @throws errors
 * of the database
 */
export async function deliver(services: SliceServices, user: string): Promise<number | null> {
  for (let slices = 1; ; slices++) {
    const { claimed, polls } = await deliverSlice(services, { users: [user], limit: ofOneUser });
    if (claimed < ofOneUser || slices === maxSlices) return polls[0]?.at ?? null;
  }
}

/** Slices of one delivery, with up to fifteen statements each, of the thousand that D1 grants an invocation. */
const maxSlices = 60;

/** Cursors of one user in a slice: the most that a crash can repeat. */
const ofOneUser = 50;
