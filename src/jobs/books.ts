import { type Changes, joinChanges, writeChanges } from '../model/reminders/record.ts';
import { readDeliveries, type UserDelivery } from '../model/reminders/state.ts';
import { countInterrupted, noteUnderWay } from '../model/reminders/under-way.ts';
import type { Services } from '../services.ts';
import { grouped } from './grouped.ts';

/** What deliveries are read from and recorded in. */
export interface Books {
  read(user: string): Promise<UserDelivery>;
  /** `refused` are users with a plan that was not stored, because what it was made from has changed. */
  write(changes: Changes): Promise<{ refused: string[] }>;
}

type Needs = Pick<Services, 'db' | 'now'>;

/** Each user by themselves: one read and one write. */
export const booksOf = ({ db, now }: Needs): Books => ({
  read: async (user) => (await readDeliveries(db, [user], now()))[0] as UserDelivery,
  write: (changes) => writeChanges(db, changes, now()),
});

/** Deliveries that one transaction reads or records at most: half of what may be pushed, so that pushing goes on meanwhile. */
const mostUsers = 64;

/** So long the first of a group waits to be recorded, for those that are still being pushed. */
const gatherMs = 50;

/** Who is delivered to. */
export interface Line {
  underWay: ReadonlyMap<string, unknown>;
  /** Those who come next, as many as may. */
  next(): Iterable<string>;
}

/**
 * Many users at once, for a process that delivers to all of them. What is written is on the disk when `write` resolves,
 * as it is for a user alone; a transaction that fails for a group is tried for each of its users. Before anything is
 * pushed it is noted for whom: with what is recorded of those before them, if it can be, so that it costs nothing.
 */
export function sharedBooks({ db, now }: Needs, line: Line): Books {
  let noted = new Set<string>();

  /** Carries out `work`, which notes these users. */
  async function noting<T>(users: Iterable<string>, work: (underWay: string[]) => Promise<T>): Promise<T> {
    noted = new Set(users);
    try {
      return await work([...noted]);
    } catch (error) {
      noted = new Set();
      throw error;
    }
  }

  async function read(users: string[]) {
    if (users.every((user) => noted.has(user))) return readDeliveries(db, users, now());
    // The last of them may be on its way into the line.
    return noting([...line.underWay.keys(), ...users], (underWay) =>
      readDeliveries(db, users, now(), underWay),
    );
  }

  async function write(all: Changes[]) {
    const { refused } = await noting([...line.underWay.keys(), ...line.next()], (underWay) =>
      writeChanges(db, joinChanges(all), now(), { underWay }),
    );
    return all.map(({ plan, tried }) => ({
      refused: refused.filter((user) => [...plan, ...tried].some((row) => row.user === user)),
    }));
  }

  return {
    read: grouped(read, { most: mostUsers, gatherMs: 0 }),
    write: grouped(write, { most: mostUsers, gatherMs, callers: () => line.underWay.size }),
  };
}

/**
 * How many notifications a process that died was delivering, or about to, and had not recorded: those alone may be
 * pushed again, under the same collapse id.
 */
export const interrupted = ({ db }: Pick<Services, 'db'>): Promise<number> => countInterrupted(db);

/** Nothing is under way any more. */
export const closeBooks = async ({ db, now }: Needs): Promise<void> => {
  await noteUnderWay(db, [], now());
};
