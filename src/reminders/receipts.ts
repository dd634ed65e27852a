import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { invalid, notFound } from '../errors.ts';
import { isDeletedStudy } from '../permissions/visibility.ts';
import { byServiceClock, notBefore } from '../schedule/phone-clocks.ts';
import { comesNext } from './entries.ts';
import { fromPushes, type Notification } from './notification.ts';
import { insertDue, noteReactions, type Reacted } from './reactions.ts';
import type { Push } from './schema.ts';

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
type Reportable = Pick<Notification, 'dueAt' | 'settledAt' | 'deliveries'>;

/** A phone may report a push before the relay has answered. */
const publishMs = 5_000;

/** The instant of a receipt by the service's clock, and the phone's own time as it was sent. */
type Clocked = Pick<Context, 'now'> & { clock?: number | undefined };

/** When it happened, or why it cannot have. A phone shows its own copy of an unpushed reminder when it is due. */
function timeOf(row: Reportable, sent: number, { now, clock }: Clocked): number | Refusal {
  const { dueAt, settledAt } = row;
  const pushes = row.deliveries.filter(({ messageId }) => messageId).map((one) => Date.parse(one.at));
  if (pushes.length === 0 && settledAt === null && dueAt > now) return 'not-pushed';
  const earliest = pushes.length > 0 ? Math.max(dueAt, Math.min(...pushes) - publishMs) : dueAt;
  const at = notBefore(byServiceClock(sent, { now, clock }), Math.min(earliest, now), { clock });
  if (at < earliest) return 'before-push';
  return at > now ? 'after-now' : at;
}

/** Notes a receipt for a notification of the actor. @throws resource.not-found, request.invalid */
export async function recordReceipt(
  context: Recording,
  notification: string,
  { clock, ...receipt }: Receipt & Pick<Clocked, 'clock'>,
): Promise<void> {
  const [refusal] = await recordReceipts(context, [{ notification, ...receipt }], clock);
  if (refusal === 'unknown') throw notFound('notification');
  if (refusal) throw invalid('/at', refusals[refusal]);
}

const reactionOf = { shown: 'shownAt', opened: 'openedAt', dismissed: 'dismissedAt' } as const;

/**
 * Notes all valid receipts for notifications of the actor. Returns the reason of each refused receipt, and undefined for
 * each noted one, in the order of the receipts. Two round trips.
 */
export async function recordReceipts(
  context: Recording,
  receipts: readonly ListedReceipt[],
  clock?: number,
): Promise<(Refusal | undefined)[]> {
  const { now } = context;
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
    const one = reacted.get(notification) ?? { id: notification };
    const reaction = reactionOf[event];
    reacted.set(notification, { ...one, [reaction]: Math.min(at, one[reaction] ?? at) });
  }
  const open = [...reacted.keys()].filter((id) => found.get(id)?.settledAt === null);
  if (reacted.size > 0) await note(context, [...reacted.values()], open);
  logReceipts(
    context,
    taken.map(({ event }) => event),
  );
  return times.map((time) => (typeof time === 'string' ? time : undefined));
}

/** Notes reactions. Of those that are `open` the time may have come before the service gets to them. */
function note({ db, now, actor: user }: Recording, reacted: readonly Reacted[], open: readonly string[]) {
  const noted = noteReactions(db, reacted);
  return open.length > 0 ? db.batch([insertDue(db, { user, now }, open), noted]) : noted;
}

/** In SQL: the identifiers that are asked for. */
const ids = sql`(select value as id from json_each(:ids))`;

const isThere = sql`not ${isDeletedStudy(sql`s.investigation_id`)}`;

/** The actor's own: those that are settled, and those that come, with the results of a push that is being tried. */
const selectOwn = sql`select n.id, n.due_at as dueAt, n.settled_at as settledAt, n.pushes
    from ${ids} asked cross join notification n on n.id = asked.id cross join survey s on s.id = n.survey_id
    where n.user_id = :actor and ${isThere} and not exists (select 1 from scheduled_notification c
      where n.state in ('sending', 'invalidated') and c.user_id = n.user_id and c.survey_id = n.survey_id and c.id = n.id)
  union all select c.id, c.due_at, null, iif(n.state = 'sending', n.pushes, null)
    from scheduled_notification c cross join survey s on s.id = c.survey_id left join notification n on n.id = c.id
    where c.user_id = :actor and c.id in ${ids} and ${isThere} and ${comesNext(sql`n.state`)}`;

async function findOwn(
  { db, actor }: Recording,
  asked: ReadonlySet<string>,
): Promise<Map<string, Reportable>> {
  const rows = await query<Reportable & { id: string; pushes: string | null }>(db, selectOwn, {
    actor,
    ids: JSON.stringify([...asked]),
  });
  return new Map(
    rows.map(({ id, dueAt, settledAt, pushes }) => {
      const { deliveries } = fromPushes(pushes === null ? null : (JSON.parse(pushes) as Push[]), dueAt);
      return [id, { dueAt, settledAt, deliveries }];
    }),
  );
}

/** For the metrics: one line per kind. */
function logReceipts({ log }: Recording, events: readonly Receipt['event'][]): void {
  for (const [kind, { length: count }] of Map.groupBy(events, (event) => event))
    log({ event: 'receipts', kind, count });
}
