import { listed } from '../../db/json.ts';
import type { Context } from '../context.ts';
import type { Notification } from './columns.ts';
import { settledRow, storedFollowUp } from './deliveries.ts';
import { answerable, lookUpAnswers } from './reactions.ts';
import {
  confirmPlanned,
  deleteJob,
  deletePending,
  disableDevices,
  type FollowedUp,
  given,
  insertFinished,
  insertPlanned,
  insertRetried,
  invalidatePending,
  type Planned,
  type Unreachable,
  updateFollowUps,
} from './statements.ts';

export type { FollowedUp };

/** What makes the notifications of some users what they should be. */
export interface Changes {
  /** Pending notifications to store, unless what they were planned from has changed. */
  schedule: Planned[];
  /** Pending notifications that stay as they are, planned from a newer state. Their attempts are left alone. */
  confirm: Planned[];
  /** Notifications that stay pending after an attempt. What was attempted is stored whatever has changed. */
  retried: Planned[];
  /** Notifications that are settled. */
  finish: Notification[];
  /** Pending notifications that do not come any more: settled, unless the state by which they do not come has changed. */
  invalidate: Planned[];
  /** Pending notifications whose date is not the next one, but comes later. They leave no trace; the same condition. */
  unschedule: Planned[];
  /** Notifications that were sent, and what followed. */
  followedUp: FollowedUp[];
  disable: Unreachable[];
}

export const noChanges = (): Changes => ({
  schedule: [],
  confirm: [],
  retried: [],
  finish: [],
  invalidate: [],
  unschedule: [],
  followedUp: [],
  disable: [],
});

export const joinChanges = (all: readonly Changes[]): Changes => ({
  schedule: all.flatMap((changes) => changes.schedule),
  confirm: all.flatMap((changes) => changes.confirm),
  retried: all.flatMap((changes) => changes.retried),
  finish: all.flatMap((changes) => changes.finish),
  invalidate: all.flatMap((changes) => changes.invalidate),
  unschedule: all.flatMap((changes) => changes.unschedule),
  followedUp: all.flatMap((changes) => changes.followedUp),
  disable: all.flatMap((changes) => changes.disable),
});

/** Of one batch, below what D1 takes in one value (2 MB). Characters count as three bytes, the most in UTF-8. */
const maxBatchBytes = 1_800_000;

/**
 * Writes changes, each of them whole: in one batch if they are small, else in several of a bounded size. The last one
 * takes `job` from the outbox. `refused` are users with a plan that was not stored, because what it was made from has
 * changed.
 */
export async function writeChanges(
  context: Pick<Context, 'db' | 'now'>,
  all: readonly Changes[],
  job?: string,
): Promise<{ refused: string[] }> {
  const batches = cut(all);
  const refused = new Set<string>();
  for (const [n, batch] of batches.entries()) {
    const last = n === batches.length - 1 && refused.size === 0;
    for (const user of await writeBatch(context, joinChanges(batch), last ? job : undefined))
      refused.add(user);
  }
  return { refused: [...refused] };
}

function cut(all: readonly Changes[]): Changes[][] {
  if (all.length < 2) return [[...all]];
  const batches: Changes[][] = [[]];
  let bytes = 0;
  for (const changes of all) {
    const size = 3 * JSON.stringify(changes).length;
    if (bytes > 0 && bytes + size > maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(changes);
    bytes += size;
  }
  return batches;
}

const toStored = ({ followUps, ...change }: FollowedUp): FollowedUp => ({
  ...change,
  ...(followUps && { followUps: followUps.map(storedFollowUp) }),
});

/** Returns the users of whom something was refused. */
async function writeBatch(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { schedule, confirm, retried, finish, invalidate, unschedule, followedUp, disable }: Changes,
  job: string | undefined,
): Promise<string[]> {
  const planned = [...schedule, ...retried];
  const late = answerable([...planned, ...finish], now);
  const guarded = [
    ...(planned.length > 0 ? [{ rows: planned, write: insertPlanned(db, given(planned)) }] : []),
    ...(confirm.length > 0 ? [{ rows: confirm, write: confirmPlanned(db, confirm) }] : []),
    ...(invalidate.length > 0 ? [{ rows: invalidate, write: invalidatePending(db, invalidate) }] : []),
    ...(unschedule.length > 0 ? [{ rows: unschedule, write: deletePending(db, unschedule) }] : []),
  ];
  // What is settled comes before what is planned behind it, which it need not read then.
  const settled = finish.length > 0 ? [insertFinished(db, given(finish.map(settledRow)))] : [];
  const [first, ...rest] = [
    ...settled,
    ...guarded.map(({ write }) => write),
    ...(retried.length > 0 ? [insertRetried(db, { rows: listed(retried), now }, retried.length === 1)] : []),
    ...(late.length > 0 ? [lookUpAnswers(db, late)] : []),
    ...(followedUp.length > 0
      ? [updateFollowUps(db, { rows: listed(followedUp.map(toStored)) }, followedUp.length === 1)]
      : []),
    ...(disable.length > 0 ? [disableDevices(db, disable, now)] : []),
    ...(job === undefined
      ? []
      : [
          deleteJob(
            db,
            job,
            guarded.flatMap(({ rows }) => rows),
          ),
        ]),
  ];
  if (!first) return [];
  const results = (await db.batch([first, ...rest])) as { user: string; survey: string }[][];
  return guarded.flatMap(({ rows }, n) => {
    const stored = new Set(results[settled.length + n]?.map(({ user, survey }) => `${user} ${survey}`));
    return rows
      .filter(({ userId, surveyId }) => !stored.has(`${userId} ${surveyId}`))
      .map(({ userId }) => userId);
  });
}
