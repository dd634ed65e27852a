import type { Database } from '../../db/database.ts';
import { type Claim, claim, type Look } from '../../reminders/claim.ts';
import type { Turns } from '../../reminders/deliver.ts';
import { joinRecords, settle, type TurnRecord } from '../../reminders/settle.ts';
import { retry } from '../../retry.ts';
import { collect } from './collect.ts';

/** Shorter than a round trip to the database: a single delivery waits this long in vain. */
const waiting = { maxWaitMs: 5, max: 64, maxWaiting: 1_000 };

/** Cursors of all users who claim at once. Further ones stay due. */
const maxCursors = 256;

/** The record of one user's turn, and the users whose next look it asks for. */
interface Recorded {
  record: TurnRecord;
  users: readonly string[];
}

/** Claims and records of many users' turns, each in one batch: the users' objects meet here. */
export function joinTurns(db: Database, now: () => number) {
  return {
    claim: collect(async (users: string[]): Promise<Claim[]> => {
      const joined = await claim({ db, now: now() }, { users, limit: maxCursors });
      return users.map((user) => claimOf(joined, user));
    }, waiting),
    settle: collect(async (all: Recorded[]): Promise<Look[][]> => {
      const record = joinRecords(all.map((recorded) => recorded.record));
      const looks = await settle(
        { db, now: now() },
        record,
        all.flatMap(({ users }) => users),
      );
      return all.map(({ users }) => looks.filter(({ user }) => users.includes(user)));
    }, waiting),
  };
}

function claimOf({ rows, texts, phones, looks }: Claim, user: string): Claim {
  const rowsOfUser = rows.filter((row) => row.user === user);
  const surveys = new Set(rowsOfUser.map(({ survey }) => survey));
  return {
    rows: rowsOfUser,
    texts: texts.filter(({ survey }) => surveys.has(survey)),
    phones: phones?.filter((phone) => phone.user === user) ?? null,
    looks: looks.filter((look) => look.user === user),
  };
}

/** The interface of a delivery object for the turns of one user. */
interface TurnsObject {
  claim(user: string): Promise<Claim>;
  settle(record: TurnRecord, users: readonly string[]): Promise<Look[]>;
}

/** The turns of one user, through their delivery object. */
export function turnsOf(user: string, object: () => TurnsObject): Turns {
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
