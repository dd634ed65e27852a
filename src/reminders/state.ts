import type { Context } from '../context.ts';
import { lastInstantOf, localDate } from '../schedule/civil.ts';
import { timeOf } from '../schedule/course.ts';
import { dayMs } from '../schedule/days.ts';
import type { ReminderTexts } from '../schedule/languages.ts';
import { clockedBy, type ReminderState, userZoneOf } from '../schedule/occurrences.ts';
import { retentionMs } from '../schedule/retention.ts';
import { type FollowUpRule, isDrawn, parseRule, type Rule } from '../schedule/rule.ts';
import { endOfDate, slotOf } from '../schedule/slots.ts';
import type { Course, OwnDates, OwnParticipation } from '../studies/schema.ts';
import type { StoredReminders } from '../studies/survey-schema.ts';
import { type Answer, answersFor } from './answers.ts';
import { knownZone, logUnknown } from './effective-zone.ts';
import { groupOf } from './groups.ts';
import { fromPushes, laterPushes, type Notification } from './notification.ts';
import type { Push } from './schema.ts';
import type { StateRow } from './state-rows.ts';
import { readTriggers } from './triggers.ts';

/** The state behind all decisions about one user and one survey, as the database has it now. */
export interface UserReminders extends ReminderState {
  frozen: boolean;
  user: string;
  survey: string;
  investigation: string;
  /** The person's properties, as `combinationOf` writes them. */
  combination: string | null;
  revision: number;
  /** Epoch ms: when the reminders were changed last. */
  remindersSince: number;
  /**
   * Epoch ms: the end of the local date on which earlier reminders of the survey were pushed last, by the user's present
   * clock. Nothing due up to it exists, so that a change never reminds twice on one date. 0: not lately, or the
   * change says that the user shall be reminded again.
   */
  remindedUntil: number;
  /** Only owners see the survey, and whatever becomes of its reminders. */
  blinded: boolean;
  texts: ReminderTexts;
  followUps: FollowUpRule | null;
  /** The notification that the cursor stands before, with the results of earlier attempts. */
  pending: Notification | null;
  /** The newest settled notification that counts. */
  last: Notification | null;
  /** The stored reminders cannot be parsed, so there is no `rule`. Other surveys are not affected. */
  unreadable: boolean;
  /** An earlier slice has ended without a record, in which the next notification may have been pushed. */
  mayBePushed?: boolean | undefined;
  lease?: Lease | undefined;
}

/** The slice that has claimed the cursor: its mark, and its end (epoch ms). */
export interface Lease {
  version: number;
  until: number;
}

/** The last settled notification, if it is followed up or retried. */
export const followedOf = ({ last }: Pick<UserReminders, 'last'>): Notification | null =>
  last !== null && laterPushes(last).length > 0 ? last : null;

/** Dates that were due longer ago are not planned: their outcomes may be purged. */
const horizonMs = retentionMs - 2 * dayMs;

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

interface Known {
  /** The users have an enabled device, which only a delivery needs to know. */
  isReachable?: (user: string) => boolean;
  /** Answers beside those of the rows, if it is the rows of one survey and user. */
  answers?: readonly Answer[];
}

/** A row with the reminders of its survey. */
export type ReminderRow = StateRow & {
  reminders: string | null;
  translations?: string | null;
} & Partial<Lease & { mayBePushed: number }>;

/** The states of these rows. */
export function toReminders(
  context: Reading,
  rows: readonly ReminderRow[],
  { isReachable = () => true, answers = [] }: Known = {},
): UserReminders[] {
  logUnknown(
    context,
    rows.map(({ timeZone }) => timeZone),
  );
  return rows.map((row) => toState(row, { reachable: isReachable(row.user), answers, now: context.now }));
}

function toState(
  row: ReminderRow,
  { reachable, answers, now }: { reachable: boolean; answers: readonly Answer[]; now: number },
): UserReminders {
  const parsed = parsedOf(row);
  const pending = notificationOf(row, row.next);
  const last = notificationOf(row, row.last);
  const settled = last?.revision === row.revision ? last : null;
  const reminders = parsed?.reminders;
  const { user, revision, windowSecret: secret, quietFrom, quietTo } = row;
  const unlessAnswered = reminders?.unlessAnswered ?? false;
  const expiresAfter = reminders?.expiresAfter ?? 0;
  const course = courseOf(row, parsed?.rule ?? null);
  const group = groupOf(row);
  const clocked = clockedBy(reminders?.clock, {
    userZone: knownZone(row.timeZone, row.studyZone),
    studyZone: knownZone(row.studyZone),
    time: row.time,
  });
  // A triggered occurrence belongs to its response, which is never reminded of twice, and not to a date.
  const isDated = reminders?.type !== 'triggered';
  const remindedUntil = row.pushed !== null && isDated ? endOfPush(row.pushed, userZoneOf(clocked)) : 0;
  return {
    user: row.user,
    survey: row.survey,
    investigation: row.investigation,
    combination: row.combination,
    revision: row.revision,
    remindersSince: row.remindersSince,
    remindedUntil,
    blinded: row.blinded === 1,
    rule: parsed?.rule ?? null,
    unreadable: row.reminders !== null && parsed === null,
    texts: {
      notification: reminders?.notification ?? { subject: '', body: '' },
      translations: row.translations ? JSON.parse(row.translations) : {},
    },
    expiresAfter,
    unlessAnswered,
    followUps: reminders?.followUps ?? null,
    start: course.start,
    participation: course.participation,
    since: Math.max(
      now - horizonMs,
      row.remindersSince,
      row.joinedAt,
      row.activeSince,
      course.startedAt,
      // One that is still open when a date is moved, somebody's time is extended, or they come into a group, comes at once; earlier
      // ones do not exist.
      Math.max(course.changedAt, group.since) - expiresAfter * 60_000,
      remindedUntil,
    ),
    settledThrough: settled && throughOf(settled),
    settledCounter: settled && isDone(settled) ? settled.counter : undefined,
    ...clocked,
    ...(secret !== null && { draw: { secret, user, revision } }),
    quietHours: quietFrom !== null && quietTo !== null ? { from: quietFrom, to: quietTo } : null,
    pausedUntil: row.pausedUntil || null,
    member: row.member === 1 && group.isIn,
    ...(row.member === 1 && !group.isIn && { isOutOfGroup: true }),
    archived: row.archived === 1,
    frozen: row.frozen === 1,
    pending,
    last,
    mayBePushed: row.mayBePushed === 1,
    ...(row.version !== undefined &&
      row.until !== undefined && { lease: { version: row.version, until: row.until } }),
    ...answersFor([...answers, ...JSON.parse(row.answers).map(toAnswer)], {
      revision,
      isTriggered: !isDated,
      unlessAnswered,
      noted: [pending, last],
    }),
    ...(parsed?.rule.type === 'triggered' && {
      triggers: readTriggers(row.triggers, { pending, last, each: reminders?.trigger?.each ?? true, now }),
      settledCount: settled ? settled.counter + 1 : 0,
    }),
    reachable,
  };
}

/** The day 0, and the time of a user in the study, as they are now. Instants are epoch ms; 0: never. */
function courseOf(row: StateRow, rule: Rule | null) {
  const { joinedOn, downloadedAt, downloadedOn } = row;
  const { participationDays, since } = parsedJson<Course>(row.course) ?? {
    participationDays: null,
    since: 0,
  };
  const own = parsedJson<OwnParticipation>(row.participation);
  const participation = {
    from: own?.from,
    until: joinedOn === null ? own?.until : timeOf({ joinedOn, own, participationDays }).until,
  };
  const changedAt = Math.max(since, own?.at ?? 0);
  if (rule?.type !== 'fixed') return { start: row.startsOn, startedAt: 0, participation, changedAt };
  const { from } = rule;
  if (from === 'download')
    return { start: downloadedOn, startedAt: downloadedAt ?? 0, participation, changedAt };
  if (from === 'joined') return { start: joinedOn, startedAt: 0, participation, changedAt };
  const [start = null, setAt = 0] = parsedJson<OwnDates>(row.dates)?.[from.date] ?? [];
  return { start, startedAt: 0, participation, changedAt: Math.max(changedAt, setAt) };
}

const parsedJson = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text));

const toAnswer = ([at, occurrence, counts]: [number, string | null, number]): Answer => ({
  at,
  occurrence,
  counts,
});

/** A notification of a row; null: there is none. */
function notificationOf({ user, survey }: StateRow, text: string | null): Notification | null {
  if (text === null) return null;
  const { pushes, ...stored } = JSON.parse(text) as Notification & { pushes: Push[] | null };
  return { ...nothing, ...fromPushes(pushes, stored.dueAt), ...stored, userId: user, surveyId: survey };
}

/** Of a notification that comes. */
const nothing = {
  ...{ state: null, reason: null, settledAt: null, openedAt: null, answeredLate: null },
  ...{ nextFollowUpAt: null, retryAt: null, snoozedUntil: null },
};

/** The end of the last date of pushes where the user was, by the clock of where they are now. */
function endOfPush(pushed: string, timeZone: string): number {
  const pushes = JSON.parse(pushed) as [number, string][];
  const dates = pushes.map(([at, zone]) => localDate(at, knownZone(zone)));
  const [last] = dates.sort().reverse();
  return last === undefined ? 0 : lastInstantOf(last, timeZone);
}

/** Whether the person was reminded, or had answered: others may come at another time. */
const isDone = ({ state, reason }: Notification) => state === 'sent' || reason === 'answered';

/** One that is too many stands for the rest of its date, but each response for itself. */
const throughOf = ({ key, reason }: Notification) =>
  reason === 'too-many' && slotOf(key).trigger === undefined ? endOfDate(key) : key;

/** The reminders of a survey, and their rule. */
interface Parsed {
  reminders: StoredReminders;
  rule: Rule;
}

/** The reminders of a survey from their stored text. Null: there are none, or they are unreadable. */
export function parsedOf({
  reminders,
  windowSecret,
}: Record<'reminders' | 'windowSecret', string | null>): Parsed | null {
  const parsed = reminders === null ? null : parse(reminders);
  // Without a secret anyone could compute the draws.
  return parsed && isDrawn(parsed.reminders) && !windowSecret ? null : parsed;
}

/** Users of a survey share its reminders, so a text is parsed once. Null: unreadable. */
function parse(text: string): Parsed | null {
  const before = parsedTexts.get(text);
  if (before !== undefined) return before;
  if (parsedTexts.size >= maxParsedTexts) parsedTexts.clear();
  const parsed = parseStored(text);
  parsedTexts.set(text, parsed);
  return parsed;
}

const parsedTexts = new Map<string, Parsed | null>();
const maxParsedTexts = 500;

function parseStored(text: string): Parsed | null {
  try {
    const reminders = JSON.parse(text) as StoredReminders;
    const parsed = parseRule(reminders);
    return 'rule' in parsed ? { reminders, rule: parsed.rule } : null;
  } catch {
    return null;
  }
}
