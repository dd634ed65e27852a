import type { Context } from '../context.ts';
import { namedBatch } from '../db/named-batch.ts';
import { type Changes, type FollowUpChange, joinChanges, type Planned } from './changes.ts';
import { settledRow, storedFollowUp } from './deliveries.ts';
import { noteUserZone } from './effective-zone.ts';
import { lookUpAnswers, withUnreadAnswers } from './reactions.ts';
import {
  confirmPlanned,
  deleteJob,
  deletePending,
  disableDevices,
  insertFinished,
  insertPlanned,
  invalidatePending,
  updateAttempts,
  updateFollowUps,
} from './statements.ts';

/**
 * Characters of one batch, below the 2 MB that D1 takes in one value. Characters count as three bytes, the most in UTF-8.
 */
const maxBatchBytes = 1_800_000;

/**
 * Writes changes, each of them whole: in one batch if they are small, else in several of a bounded size. The last batch
 * removes `job` from the outbox. `refused` are users with a plan that was not stored, because its stamps have changed.
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

const toStored = ({ followUps, ...change }: FollowUpChange): FollowUpChange => ({
  ...change,
  ...(followUps && { followUps: followUps.map(storedFollowUp) }),
});

/** Returns the users with a refused plan. */
async function writeBatch(
  { db, now }: Pick<Context, 'db' | 'now'>,
  changes: Changes,
  job: string | undefined,
): Promise<string[]> {
  const { confirm, retried, finish, invalidate, unschedule, disable } = changes;
  const planned = [...changes.schedule, ...retried];
  const followUps = changes.followUps.map(toStored);
  const unread = withUnreadAnswers([...planned, ...finish], now);
  const guarded = { planned, confirm, invalidate, unschedule };
  const some = <T, S>(rows: T[], statement: (rows: T[]) => S) =>
    rows.length > 0 ? statement(rows) : undefined;
  const stored = await namedBatch(db, {
    // Settled rows come before the plans behind them, which then need not read them.
    finish: some(finish, (rows) => insertFinished(db, rows.map(settledRow))),
    planned: some(planned, (rows) => insertPlanned(db, rows)),
    confirm: some(confirm, (rows) => confirmPlanned(db, rows)),
    invalidate: some(invalidate, (rows) => invalidatePending(db, rows)),
    unschedule: some(unschedule, (rows) => deletePending(db, rows)),
    retried: some(retried, (rows) => updateAttempts(db, rows)),
    answers: some(unread, (rows) => lookUpAnswers(db, rows)),
    followUps: some(followUps, (rows) => updateFollowUps(db, rows)),
    disable: some(disable, (rows) => disableDevices(db, rows, now)),
    ...(job === undefined ? {} : noteUserZone({ db, now }, job)),
    job: job === undefined ? undefined : deleteJob(db, job, Object.values(guarded).flat()),
  });
  const refusedOf = (rows: Planned[], written: { user: string; survey: string }[] = []) => {
    const kept = new Set(written.map(({ user, survey }) => `${user} ${survey}`));
    return rows.filter(({ userId, surveyId }) => !kept.has(`${userId} ${surveyId}`));
  };
  const { planned: plans, confirm: confirmed, invalidate: ended, unschedule: deleted } = stored;
  return [
    ...refusedOf(planned, plans),
    ...refusedOf(confirm, confirmed),
    ...refusedOf(invalidate, ended),
    ...refusedOf(unschedule, deleted),
  ].map(({ userId }) => userId);
}
