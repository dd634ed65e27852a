import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { isEnabled } from '../phones/schema.ts';
import type { Services } from '../services.ts';
import { answerOf } from './answers.ts';
import { recentPushes } from './limit-pushes.ts';
import { toReminders, type UserReminders } from './state.ts';
import {
  type StateRow,
  type SurveyTexts,
  selectTextsOf,
  stateColumns,
  tablesOfCursors,
} from './state-rows.ts';

/** A device that can be pushed to. */
export interface Phone {
  id: string;
  platform: string;
  endpoint: string;
  /** A language tag. */
  language: string | null;
}

/** The due cursors that a slice takes: of these users, whose other slices have ended, or the earliest of all others. */
export interface Who {
  users?: readonly string[] | undefined;
  /** Users whose slices are under way: two at once could exceed the pushes of a day. */
  except?: readonly string[];
  /** Cursors. */
  limit: number;
  /** Plans, and leaves what has to be pushed to another slice. */
  planOnly?: boolean;
}

/** A cursor of a slice as the database has it: with the marks of the slice, and the user's pushes of the last days. */
type Claimed = StateRow & { version: number; until: number; recent: number };

/** The slice of a set of cursors as it was read: plain data. */
export interface Claim {
  rows: Claimed[];
  texts: SurveyTexts[];
  /** Null: they were not read, since nothing is pushed. */
  phones: (Phone & { user: string })[] | null;
  /** When to look at the users next, if nothing of theirs is due. */
  polls: Poll[];
}

/** The slice, and all that its decisions need. */
export interface Slice {
  reminders: UserReminders[];
  phonesOf: (user: string) => Phone[];
  /** Pushes of each user in the last days. */
  recent: ReadonlyMap<string, number>;
}

/** When to look at a user next (epoch ms). */
export interface Poll {
  user: string;
  at: number | null;
}

/** The first cursor to look at, but for those of some users. Null: there is none. */
export async function selectNextPoll(
  db: Database,
  except: readonly string[] = [],
): Promise<{ at: number; user: string } | null> {
  const [first] = await query<{ at: number; user: string }>(db, nextPoll, { except: JSON.stringify(except) });
  return first ?? null;
}

const nextPoll = sql`select next_at as at, user_id as user from scheduled_notification
  where next_at is not null and user_id not in (select value from json_each(:except)) order by next_at limit 1`;

/** When to look at these users next. */
export const selectPolls = (db: Database, users: readonly string[]) =>
  query<Poll>(db, polls, { users: JSON.stringify(users) });

const polls = sql`select u.value as user, (select min(c.next_at) from scheduled_notification c where c.user_id = u.value) as at
  from json_each(:users) u`;

const minuteMs = 60_000;

/**
 * How long a slice may take, by the number of slices before that ended without a record: later each time, so that a database
 * that takes a claim but no record repeats no push without end.
 */
const leases = [minuteMs, 5 * minuteMs, 30 * minuteMs] as const;

/**
 * Ends the slices of a process that has died, for the only process over a database as it starts: what they left is due at
 * once. How often a slice has ended without a record is remembered.
 */
export const releaseLeases = (db: Database, now: number) =>
  query<never>(db, free, { now, latest: now + leases[2] });

const free = sql`update scheduled_notification set claimed_until = null, next_at = :now
  where next_at > :now and next_at <= :latest and claimed_until is not null`;

/** The shortest slice: what is pushed after it may be pushed by another slice, too. */
export const leaseMs = leases[0];

const ofUsers = sql`+c.next_at <= :now and c.user_id in (select value from json_each(:users))`;

const lease = sql`case claims when 0 then :end0 when 1 then :end1 else :end2 end`;

/** Marks the slice. The `+` keeps SQLite to the key of the users. */
const mark = (which: SQL) => sql`update scheduled_notification
  set version = :version, claims = claims + 1, claimed_until = ${lease}, next_at = ${lease}
  where (user_id, survey_id) in (select c.user_id, c.survey_id from scheduled_notification c
    where ${which} order by c.next_at limit :limit)`;

const marks = {
  earliest: mark(sql`c.next_at <= :now and c.user_id not in (select value from json_each(:except))`),
  ofUsers: mark(ofUsers),
  // A reminder that is due is left to the slice that pushes, unless it is one of earlier reminders.
  planned: mark(sql`${ofUsers} and (c.id is null or c.attempt_at > :now
    or c.revision <> (select s.reminders_revision from survey s where s.id = c.survey_id))`),
};

/** The end of a slice (epoch ms). Whole seconds are the times of reminders, so that an index finds a slice's cursors alone. */
const endOf = (at: number) => (at % 1_000 === 0 ? at - 1 : at);

/** In SQL: the cursors `c` of the slice. */
const isClaimed = sql`c.next_at in (:end0, :end1, :end2) and c.version = :version`;

const late = sql`iif(answered > dueAt + 60000 * (select case when json_valid(s.plain_reminders) then s.plain_reminders ->> 'answerWithin' end
  from survey s where s.id = survey), 1, null)`;

/** Writes the notifications whose time has come. One that was taken back comes again under its id. */
const insertSending = sql`insert into notification
    (user_id, due_at, id, survey_id, revision, occurrence, counter, time_zone, state, answered_at, answered_late)
  select user, dueAt, id, survey, revision, occurrence, counter, time_zone, 'sending', answered, ${late} from (
    select c.user_id as user, c.due_at as dueAt, c.id as id, c.survey_id as survey, c.revision as revision,
      c.occurrence as occurrence, c.counter as counter, c.time_zone as time_zone, ${answerOf(sql`c.id`, sql`c.due_at`)} as answered
    from scheduled_notification c join user u on u.id = c.user_id join survey s on s.id = c.survey_id
    where ${isClaimed} and c.id is not null and c.attempt_at <= :now)
  where true on conflict (id) do update set state = 'sending', revision = excluded.revision, occurrence = excluded.occurrence,
    due_at = excluded.due_at, counter = excluded.counter, time_zone = excluded.time_zone, settled_at = null, reason = null,
    pushes = iif(notification.state = 'sending', notification.pushes, null),
    answered_at = coalesce(notification.answered_at, excluded.answered_at)
  where notification.state = 'invalidated' or (notification.state = 'sending' and notification.due_at <> excluded.due_at)`;

const selectStates = sql`select ${stateColumns}, c.version, c.claimed_until as until, c.claims > 1 as mayBePushed,
  ${recentPushes} as recent
  from scheduled_notification c ${tablesOfCursors} where ${isClaimed}`;

const claimedUsers = sql`select c.user_id from scheduled_notification c where ${isClaimed}`;
const selectPhones = sql`select user_id as user, id, platform, endpoint, language from device
  where user_id in (${claimedUsers}) and ${isEnabled}`;
const selectTexts = selectTextsOf(
  sql`select distinct c.survey_id from scheduled_notification c where ${isClaimed}`,
  claimedUsers,
);

/**
 * Takes the slice of due cursors, and reads in the same batch all that their decisions need. It writes before anything is
 * pushed: the notifications whose time has come are there, so that a database which takes no records starts no push, and
 * a slice that ends without a record comes again by itself. One round trip.
 */
export async function claim(
  { db, now }: { db: Database; now: number },
  { users, except = [], limit, planOnly = false }: Who,
): Promise<Claim> {
  const given = {
    now,
    version: Math.floor(Math.random() * 2 ** 52),
    limit,
    users: users && JSON.stringify(users),
    except: JSON.stringify(except),
    ...Object.fromEntries(leases.map((ms, n) => [`end${n}`, endOf(now + ms)])),
  };
  const run = <Row>(text: SQL) => query<Row>(db, text, given);
  const mark = run<never>(users ? (planOnly ? marks.planned : marks.ofUsers) : marks.earliest);
  const read = [run<Claimed>(selectStates), run<SurveyTexts>(selectTexts)] as const;
  if (planOnly) {
    const [, rows, texts] = await db.batch([mark, ...read]);
    return { rows, texts, phones: null, polls: [] };
  }
  const [, , rows, texts, phones, ...polls] = await db.batch([
    mark,
    run<never>(insertSending),
    ...read,
    run<Phone & { user: string }>(selectPhones),
    ...(users ? [selectPolls(db, users)] : []),
  ]);
  return { rows, texts, phones, polls: polls.flat() };
}

/** The states of a slice. */
export function toSlice(
  context: Pick<Services, 'db' | 'log'> & { now: number },
  { rows, texts, phones }: Claim,
): Slice {
  const textsOf = new Map(texts.map((one) => [one.survey, one]));
  const byUser = Map.groupBy(phones ?? [], ({ user }) => user);
  const phonesOf = (user: string) => byUser.get(user) ?? [];
  const reminders = toReminders(
    context,
    rows.map((row) => ({ ...row, ...(textsOf.get(row.survey) ?? noTexts) })),
    { isReachable: (user) => phones === null || phonesOf(user).length > 0 },
  );
  return { reminders, phonesOf, recent: new Map(rows.map(({ user, recent }) => [user, recent])) };
}

const noTexts = { reminders: null, translations: null };
