import { breathe, startSlice } from '../breathe.ts';
import { isSharedFault } from '../db/errors.ts';
import { rootMessage } from '../errors.ts';
import { retry } from '../retry.ts';
import type { Services } from '../services.ts';
import { type Claim, claim, leaseMs, type Poll, toSlice, type Who } from './claim.ts';
import { type Decided, decide, dueAtOf } from './decide.ts';
import { limitPushes } from './limit-pushes.ts';
import { pushDue } from './push-due.ts';
import { withResult } from './pushed.ts';
import { type GonePhone, type Result, recordOf, type SliceRecord, settle } from './settle.ts';
import type { UserReminders } from './state.ts';

/** Attempts of one slice to record a push, which cannot be undone. */
const recordRetry = { baseMs: 1_000, maxMs: 8_000, maxAttempts: 5 };

/** Notifications that a slice settles, about 400 bytes each: they form one parameter of a statement. */
const maxSettled = 1_000;

/** The longest push: a slice that is later than this before its end pushes nothing, since another may begin. */
const longestPushMs = 20_000;

/** The way to the database of slices. */
export interface SliceStore {
  claim(who: Who): Promise<Claim>;
  settle(record: SliceRecord, users?: readonly string[]): Promise<Poll[]>;
}

/** The services of slices. Without a way of their own they go to `db`. */
export type SliceServices = Services & { slices?: SliceStore };

/** The result of a slice. */
export interface SliceResult {
  /** Cursors that were claimed, and those of them that another slice has to push. */
  claimed: number;
  deferred: number;
  /** When to look next: at the users who were asked for, or at each cursor. */
  polls: Poll[];
}

/**
 * One slice: claims due cursors, decides, pushes and settles. `planOnly` makes plans and leaves what has to be pushed to a
 * slice that pushes. Two round trips. @throws errors of the database
 */
export async function deliverSlice(
  services: SliceServices,
  who: Who,
  onClaim: (users: string[]) => void = () => {},
): Promise<SliceResult> {
  const now = services.now();
  const { slices = direct(services) } = services;
  const claimed = await record(
    services,
    () => slices.claim(who),
    ({ rows }) => rows.length > 0,
  );
  onClaim(claimed.rows.map(({ user }) => user));
  if (claimed.rows.length === 0) return { claimed: 0, deferred: 0, polls: claimed.polls };
  const { reminders, phonesOf, recent } = toSlice({ ...services, now }, claimed);
  const all = await decideEach(services, reminders, now);
  // The marks of the slice hide which has been due for longest.
  all.sort((a, b) => dueAtOf(a) - dueAtOf(b));
  const decided = await limitPushes({ ...services, now }, all, recent);
  const gone: GonePhone[] = [];
  const mayPush = !who.planOnly && services.now() < now + leaseMs - longestPushMs;
  const carryOut = async ({ push, ...plan }: Decided): Promise<Result> => {
    const { state } = plan;
    if (!push) return plan;
    if (!mayPush) return { state, next: state.pending, finish: [], isDeferred: true };
    const { result, gone: lost } = await pushDue(services, {
      state,
      push,
      phones: phonesOf(state.user),
      now,
    });
    // A phone that only one arm finds lost would show there, in what becomes of the other reminders.
    if (!state.blinded) gone.push(...lost.map((device) => ({ device, readAt: now })));
    return { state, ...withResult({ ...plan, push }, result) };
  };
  // One that fails ends its slice without a record, so that its fault does not cost the others theirs.
  const attempts = decided.map((one) => carryOut(one).catch((error) => logFault(services, one.state, error)));
  const results = (await Promise.all(attempts)).filter((result) => result !== undefined);
  const isPushing = mayPush && decided.some(({ push }) => push);
  const write = (some: readonly Result[]) => () => slices.settle(recordOf(some, gone), who.users);
  const polls = await record(services, () =>
    recordAll(services, results, (some) =>
      retry(write(some), {
        ...recordRetry,
        maxAttempts: isPushing ? recordRetry.maxAttempts : 1,
        isRetryable: (error) => some.length === 1 || isSharedFault(error),
      }),
    ),
  );
  const deferred = results.filter(({ isDeferred }) => isDeferred).length;
  return { claimed: claimed.rows.length, deferred, polls };
}

/** Records results. If the database refuses them, it takes those of others without the one that is at fault. */
async function recordAll(
  services: Pick<Services, 'log'>,
  results: readonly Result[],
  write: (some: readonly Result[]) => Promise<Poll[]>,
): Promise<Poll[]> {
  try {
    return await write(results);
  } catch (error) {
    const [one] = results;
    if (!one || isSharedFault(error)) throw error;
    if (results.length === 1) {
      logFault(services, one.state, error);
      throw error;
    }
    const half = results.length >> 1;
    const parts = [results.slice(0, half), results.slice(half)];
    const done = await Promise.allSettled(parts.map((some) => recordAll(services, some, write)));
    const taken = done.filter((part) => part.status === 'fulfilled');
    if (taken.length === 0) throw error;
    return taken.flatMap(({ value }) => value);
  }
}

function logFault({ log }: Pick<Services, 'log'>, { survey }: UserReminders, error: unknown): undefined {
  log({ event: 'turn.failed', level: 'error', survey, error: rootMessage(error) });
}

/** The slices of a process that has the database at hand. */
export const direct = ({ db, now }: Pick<Services, 'db' | 'now'>): SliceStore => ({
  claim: (who) => claim({ db, now: now() }, who),
  settle: (record, users) => settle({ db, now: now() }, record, users),
});

/** A survey that cannot be decided ends its slice without a record, so that its fault does not cost the others theirs. */
async function decideEach(
  { log }: Pick<Services, 'log'>,
  reminders: readonly UserReminders[],
  now: number,
): Promise<Decided[]> {
  const max = Math.max(1, Math.floor(maxSettled / reminders.length));
  const decided: Decided[] = [];
  let others = startSlice();
  for (const state of reminders) {
    try {
      decided.push(decide(state, now, max));
    } catch (error) {
      log({ event: 'plan.failed', level: 'error', survey: state.survey, error: rootMessage(error) });
    }
    if (!others.isOver(0)) continue;
    await breathe();
    others = startSlice();
  }
  return decided;
}

/** Notes whether the database takes the writes of slices. `wrote`: a claim that takes no cursor writes nothing. */
async function record<T>(
  services: Pick<Services, 'records' | 'log'>,
  work: () => Promise<T>,
  wrote: (result: T) => boolean = () => true,
): Promise<T> {
  try {
    const result = await work();
    if (wrote(result)) noteWrites(services);
    return result;
  } catch (error) {
    noteWrites(services, error);
    throw error;
  }
}

/** The last claim or settle was taken, or failed by `error`: while the database takes no writes, nothing is pushed. */
export function noteWrites({ records, log }: Pick<Services, 'records' | 'log'>, error?: unknown): void {
  const isRefused = error !== undefined;
  if (records.refused !== isRefused)
    log(
      isRefused
        ? { event: 'writes.refused', level: 'error', error: rootMessage(error) }
        : { event: 'writes.taken' },
    );
  records.refused = isRefused;
}
