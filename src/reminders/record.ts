import type { Context } from '../context.ts';
import { cut } from '../db/insert-each.ts';
import { oneOf } from '../db/json.ts';
import { namedBatch } from '../db/named-batch.ts';
import { devices } from '../phones/schema.ts';
import { usersOfSwitched } from '../phones/zone-schema.ts';
import { type Changes, type FollowUpChange, joinChanges, type Unreachable } from './changes.ts';
import { settledRow, storedFollowUp } from './deliveries.ts';
import { noteUserZone } from './effective-zone.ts';
import { replanSelected } from './outbox.ts';
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
 * Writes changes, each of them whole: in one batch if they are small, else in several of a bounded size. The last batch
 * removes `job` from the outbox. `refused` are users with a plan that was not stored, because its stamps have changed.
 */
export async function writeChanges(
  context: Pick<Context, 'db' | 'now'>,
  all: readonly Changes[],
  job?: string,
): Promise<{ refused: string[] }> {
  const batches = all.length > 1 ? cut(all) : [all];
  const refused = new Set<string>();
  for (const [n, batch] of batches.entries()) {
    const last = n === batches.length - 1 && refused.size === 0;
    for (const user of await writeBatch(context, joinChanges(batch), last ? job : undefined))
      refused.add(user);
  }
  return { refused: [...refused] };
}

const toStored = ({ followUps, ...change }: FollowUpChange): FollowUpChange => ({
  ...change,
  ...(followUps && { followUps: followUps.map(storedFollowUp) }),
});

/** The sweep plans anew for users whose zone is that of another phone from now on. THIS COMES BEFORE THE PHONES ARE DISABLED. */
function replanDisabled(context: Pick<Context, 'db' | 'now'>, gone: Unreachable[]) {
  const ids = oneOf(
    devices.id,
    gone.map(({ device }) => device),
  );
  const [stamps, replans] = replanSelected(context, usersOfSwitched(ids));
  return { stamps, replans };
}

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
    ...(disable.length > 0 ? replanDisabled({ db, now }, disable) : {}),
    disable: some(disable, (rows) => disableDevices(db, rows, now)),
    ...(job !== undefined && {
      zone: noteUserZone({ db, now }, job),
      job: deleteJob(db, job, Object.values(guarded).flat()),
    }),
  });
  const kinds = ['planned', 'confirm', 'invalidate', 'unschedule'] as const;
  return kinds.flatMap((kind) => {
    const kept = new Set(stored[kind]?.map(({ user, survey }) => `${user} ${survey}`));
    const refused = guarded[kind].filter(({ userId, surveyId }) => !kept.has(`${userId} ${surveyId}`));
    return refused.map(({ userId }) => userId);
  });
}
