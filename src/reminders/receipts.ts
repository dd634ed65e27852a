import { type SQL, sql } from 'drizzle-orm';
import { isDeletedStudy } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import { each } from '../db/json.ts';
import { invalid } from '../errors.ts';
import { occurrenceIdentifier, partsOfOccurrence, revisionsTold, surveyDigits } from '../identifiers.ts';
import { byServiceClock, notBefore } from '../schedule/phone-clocks.ts';
import { surveys } from '../studies/survey-schema.ts';
import type { Notification, NotificationKey } from './columns.ts';
import { deliveriesOf } from './deliveries.ts';
import { notifiedSurveys } from './history.ts';
import { lastInvalidated, readOwn } from './notifications.ts';
import { noteReceipts, type Reacted } from './reactions.ts';
import { notifications } from './schema.ts';

export const receiptEvents = ['shown', 'opened', 'dismissed'] as const;

export interface Receipt {
  event: (typeof receiptEvents)[number];
  /** Epoch ms. */
  at: number;
}

/** A receipt in a list, for the notification with this identifier. */
export interface ListedReceipt extends Receipt {
  notification: string;
}

/** Why a receipt is refused, in the order of the checks. Foreign notifications are `unknown`. */
export const refusals = {
  unknown: 'There is no such notification, or it is not yours.',
  'not-pushed': 'The notification is not pushed yet.',
  'before-push': 'Expected an instant that is not before the push.',
  'after-now': 'Expected an instant that is not in the future.',
} as const;
export type Refusal = keyof typeof refusals;

type Recording = Pick<Context, 'db' | 'now' | 'actor' | 'log'>;
type Told = Pick<Notification, 'dueAt' | 'settledAt' | 'deliveries'>;

/** A phone may report a push before the relay has answered. */
const publishMs = 5_000;

/** The instant of a receipt by the service's clock, and the phone's own time as it was sent. */
type Clocked = Pick<Context, 'now'> & { clock?: number | undefined };

/** When it happened, or why it cannot have. A phone shows its own copy of an unpushed reminder when it is due. */
function timeOf(row: Told, sent: number, { now, clock }: Clocked): number | Refusal {
  const { dueAt, settledAt } = row;
  const pushes = deliveriesOf(row)
    .filter(({ messageId }) => messageId)
    .map((one) => Date.parse(one.at));
  if (pushes.length === 0 && settledAt === null && dueAt > now) return 'not-pushed';
  const earliest = pushes.length > 0 ? Math.max(dueAt, Math.min(...pushes) - publishMs) : dueAt;
  const at = notBefore(byServiceClock(sent, { now, clock }), Math.min(earliest, now), { clock });
  if (at < earliest) return 'before-push';
  return at > now ? 'after-now' : at;
}

/** Notes a receipt for a notification of the actor. @throws resource.not-found, request.invalid */
export async function recordReceipt(
  context: Recording,
  id: string,
  { event, at: sent, clock }: Receipt & Pick<Clocked, 'clock'>,
): Promise<void> {
  const { db, now, actor: userId } = context;
  const row = await readOwn(context, id);
  const at = timeOf(row, sent, { now, clock });
  if (typeof at === 'string') throw invalid('/at', refusals[at]);
  const { survey: surveyId, revision, key } = row;
  await noteReceipts(db, [{ userId, surveyId, revision, key, [reactionOf[event]]: at }]);
  logReceipts(context, [event]);
}

const reactionOf = { shown: 'shownAt', opened: 'openedAt', dismissed: 'dismissedAt' } as const;

/**
 * Notes all valid receipts for notifications of the actor. Returns the reason of each refused receipt, and undefined for
 * each noted one, in the order of the receipts. Three round trips.
 */
export async function recordReceipts(
  context: Recording,
  receipts: readonly ListedReceipt[],
  clock?: number,
): Promise<(Refusal | undefined)[]> {
  const { db, now } = context;
  const found = await findOwn(context, new Set(receipts.map(({ notification }) => notification)));
  const times = receipts.map(({ notification, at }) => {
    const row = found.get(notification);
    return row ? timeOf(row, at, { now, clock }) : 'unknown';
  });
  const reacted = new Map<string, Reacted>();
  const taken = receipts.flatMap((receipt, n) => {
    const at = times[n];
    return typeof at === 'number' ? [{ ...receipt, at }] : [];
  });
  for (const { notification, event, at } of taken) {
    const { userId, surveyId, revision, key } = found.get(notification) as Own;
    const one = reacted.get(notification) ?? { userId, surveyId, revision, key };
    const reaction = reactionOf[event];
    reacted.set(notification, { ...one, [reaction]: Math.min(at, one[reaction] ?? at) });
  }
  if (reacted.size > 0) await noteReceipts(db, [...reacted.values()]);
  logReceipts(
    context,
    taken.map(({ event }) => event),
  );
  return times.map((time) => (typeof time === 'string' ? time : undefined));
}

interface Own extends Told, NotificationKey {}

/** The actor's own notifications, by identifier: identifiers name rows once the actor's surveys are known. */
async function findOwn({ db, actor }: Recording, ids: ReadonlySet<string>): Promise<Map<string, Own>> {
  const parts = [...ids]
    .filter((id) => /^[0-9a-f]{32}$/.test(id) && actor.endsWith(id.slice(0, 12)))
    .map(partsOfOccurrence);
  if (parts.length === 0) return new Map();
  const known = await db
    .select({ id: surveys.id, revision: surveys.remindersRevision })
    .from(sql`${notifiedSurveys(sql`u.id = ${actor}`)} c`)
    .crossJoin(surveys)
    .where(sql`${surveys.id} = c.survey and not ${isDeletedStudy(surveys.investigationId)}`);
  const byDigits = Map.groupBy(known, ({ id }) => surveyDigits(id));
  const keys = parts.flatMap(({ survey, revision, key, responseEnd }) =>
    (byDigits.get(survey) ?? []).map(({ id, revision: current }) => ({
      survey: id,
      revision: current - ((current + revisionsTold - revision) % revisionsTold),
      key,
      responseEnd,
    })),
  );
  if (keys.length === 0) return new Map();
  const { userId, surveyId, revision, key, dueAt, settledAt, deliveries } = notifications;
  const select = (some: typeof keys, where: SQL) =>
    db
      .select({ userId, surveyId, revision, key, dueAt, settledAt, deliveries })
      .from(sql`${each(some)} k`)
      .crossJoin(notifications)
      .where(where);
  const rows = await select(
    keys,
    sql`(${userId}, ${surveyId}, ${revision}, ${key})
      = (${actor}, k.value ->> 'survey', k.value ->> 'revision', k.value ->> 'key')`,
  );
  const found = new Set(rows.map((row) => `${row.surveyId} ${row.key}`));
  const others = keys.filter((one) => !found.has(`${one.survey} ${one.key}`));
  if (others.length > 0) {
    // The `+` keeps SQLite off the key, by which it would read all rows of the survey.
    const isTriggered = sql`+${userId} = ${actor} and +${surveyId} = k.value ->> 'survey'
      and ${notifications.responseEnd} = k.value ->> 'responseEnd'`;
    rows.push(...(await select(others, isTriggered).orderBy(lastInvalidated)).toReversed());
  }
  return new Map(rows.map((row) => [occurrenceIdentifier(actor, row.surveyId, row.revision, row.key), row]));
}

/** For the metrics: one line per kind. */
function logReceipts({ log }: Recording, events: readonly Receipt['event'][]): void {
  for (const [kind, { length: count }] of Map.groupBy(events, (event) => event))
    log({ event: 'receipts', kind, count });
}
