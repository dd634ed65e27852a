import type { Database } from '../../db/database.ts';
import { type Claim, claim, type Poll } from '../../reminders/claim.ts';
import type { SliceStore } from '../../reminders/deliver.ts';
import { joinRecords, type SliceRecord, settle } from '../../reminders/settle.ts';
import { retry } from '../../retry.ts';
import { collect } from './collect.ts';

/** Shorter than a round trip to the database: a single delivery waits this long in vain. */
const waiting = { maxWaitMs: 5, max: 64, maxWaiting: 1_000 };

/** Cursors of all users who claim at once. Further ones stay due. */
const maxCursors = 256;

/** The record of one user's turn, and the users whose next look it asks for. */
interface Recorded {
  record: SliceRecord;
  users: readonly string[];
}

/** Claims and records of many users' turns, each in one batch: the users' objects meet here. */
export function joinSlices(db: Database, now: () => number) {
  return {
    claim: collect(async (users: string[]): Promise<Claim[]> => {
      const joined = await claim({ db, now: now() }, { users, limit: maxCursors });
      return users.map((user) => claimOf(joined, user));
    }, waiting),
    settle: collect(async (all: Recorded[]): Promise<Poll[][]> => {
      const record = joinRecords(all.map((recorded) => recorded.record));
      const polls = await settle(
        { db, now: now() },
        record,
        all.flatMap(({ users }) => users),
      );
      return all.map(({ users }) => polls.filter(({ user }) => users.includes(user)));
    }, waiting),
  };
}

function claimOf({ rows, texts, phones, polls }: Claim, user: string): Claim {
  const rowsOfUser = rows.filter((row) => row.user === user);
  const surveys = new Set(rowsOfUser.map(({ survey }) => survey));
  return {
    rows: rowsOfUser,
    texts: texts.filter(({ survey }) => surveys.has(survey)),
    phones: phones?.filter((phone) => phone.user === user) ?? null,
    polls: polls.filter((poll) => poll.user === user),
  };
}

/** The interface of a delivery object for the turns of one user. */
interface SliceObject {
  claim(user: string): Promise<Claim>;
  settle(record: SliceRecord, users: readonly string[]): Promise<Poll[]>;
}

/** The turns of one user, through their delivery object. */
export function slicesOf(user: string, object: () => SliceObject): SliceStore {
  return {
    claim: () => retry(() => object().claim(user), resetRetry),
    settle: (record) => retry(() => object().settle(record, [user]), resetRetry),
  };
}

/** Short: the user's object itself retries longer faults. */
const resetRetry = { baseMs: 100, maxMs: 1_000, maxAttempts: 3, isRetryable: wasReset };

/** Overload is not retried, since another attempt would make it worse. */
function wasReset(error: unknown): boolean {
  const { retryable, durableObjectReset, overloaded } = error as Record<string, unknown>;
  return (retryable === true || durableObjectReset === true) && overloaded !== true;
}
