import { readDeliveries, type UserDelivery } from '../model/agendas.ts';
import { type Changes, joinChanges, writeChanges } from '../model/changes.ts';
import { countInterrupted, noteUnderWay } from '../model/under-way.ts';
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

/** Deliveries that one transaction reads or records at most. */
const mostUsers = 100;

/** So long the first of a group waits to be recorded, for those that are still being pushed. */
const gatherMs = 50;

/**
 * Many users at once, for a process that delivers to all of them. What is written is on the disk when `write` resolves,
 * as it is for a user alone; a transaction that fails for a group is tried for each of its users. `underWay`, by user, are
 * the deliveries that have begun: they are noted before anything is pushed.
 */
export function sharedBooks({ db, now }: Needs, underWay: ReadonlyMap<string, unknown>): Books {
  return {
    read: grouped((users: string[]) => readDeliveries(db, users, now(), [...underWay.keys()]), {
      most: mostUsers,
      gatherMs: 0,
    }),
    write: grouped(
      async (all: Changes[]) => {
        const { refused } = await writeChanges(db, joinChanges(all), now());
        return all.map(({ plan, tried }) => ({
          refused: refused.filter((user) => [...plan, ...tried].some((row) => row.user === user)),
        }));
      },
      { most: mostUsers, gatherMs, callers: () => underWay.size },
    ),
  };
}

/**
 * How many notifications a process that died was delivering and had not recorded: those alone may be pushed again, under
 * the same collapse id.
 */
export const interrupted = ({ db }: Pick<Services, 'db'>): Promise<number> => countInterrupted(db);

/** Nothing is under way any more. */
export const closeBooks = async ({ db, now }: Needs): Promise<void> => {
  await noteUnderWay(db, [], now());
};
