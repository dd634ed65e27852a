import { and, asc, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { cases, invitations, relayMessages, responseRevisions, responses } from '../db/schema.ts';
import type { Context } from './context.ts';
import { invitationLifetimeMs } from './invitations.ts';
import { deletedRetention } from './item-states.ts';

type Purging = Pick<Context, 'db' | 'now'>;

/** The relay repeats a message for an hour at most; the rest allows for clocks that differ. */
const relayMessageRetentionMs = 2 * 3600 * 1000;

export async function purgeRelayMessages({ db, now }: Purging): Promise<void> {
  await db.delete(relayMessages).where(lt(relayMessages.at, now - relayMessageRetentionMs));
}

/** Removes invitations that have expired, the oldest thousand. */
export async function purgeInvitations({ db, now }: Purging): Promise<void> {
  const expired = sql`select email, investigation_id from invitation where created_at <= ${now - invitationLifetimeMs}
    order by created_at limit 1000`;
  await db
    .delete(invitations)
    .where(sql`(${invitations.email}, ${invitations.investigationId}) in (${expired})`);
}

/** Items of each kind that go in one batch, and batches in one run. */
const batchSize = 500;
const maxBatches = 20;

/** Removes deleted items that are past their retention, as many as one run may. */
export async function purgeItems(context: Purging): Promise<void> {
  for (let batch = 0, more = true; more && batch < maxBatches; batch++) more = await purgeBatch(context);
}

/** Whether more remain. A response goes with its revisions; a case leaves its responses, which have their own state. */
async function purgeBatch({ db, now }: Purging): Promise<boolean> {
  const expired = (table: typeof cases | typeof responses) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(isNotNull(table.deletedAt), lt(table.deletedAt, now - deletedRetention)))
      .orderBy(asc(table.deletedAt), asc(table.id))
      .limit(batchSize);
  const [, ...purged] = await db.batch([
    db.delete(responseRevisions).where(inArray(responseRevisions.responseId, expired(responses))),
    db
      .delete(responses)
      .where(inArray(responses.id, expired(responses)))
      .returning({ id: responses.id }),
    db
      .delete(cases)
      .where(inArray(cases.id, expired(cases)))
      .returning({ id: cases.id }),
  ]);
  return purged.some((rows) => rows.length === batchSize);
}
