import { and, asc, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { deletedRetentionMs } from '../schedule/retention.ts';
import { investigations } from '../studies/schema.ts';
import { cases, maxLateMs, responseRevisions, responses, revisionsOf, storedCaseBytes } from './schema.ts';
import { setAsides } from './set-aside-schema.ts';

type Purging = Pick<Context, 'db' | 'now'>;

/** Removes what is left of answers that were placed or discarded, once no phone may repeat them; the oldest thousand. */
export async function purgeSetAsides({ db, now }: Purging): Promise<void> {
  const left = sql`select id from set_aside where settled_at < ${now - maxLateMs} order by settled_at limit 1000`;
  await db.delete(setAsides).where(sql`${setAsides.id} in (${left})`);
}

/** The most that one batch removes: rows of each kind, and bytes of revisions beyond its first one. */
const batchRows = 500;
const batchBytes = 8_000_000;
const maxBatches = 100;

/** Removes deleted items that are past their retention, up to the bound of one run. */
export async function purgeItems(context: Purging): Promise<void> {
  for (let batch = 0, more = true; more && batch < maxBatches; batch++) more = await purgeBatch(context);
}

/**
 * Whether anything was removed. A response goes after its revisions, which may take several batches; a case leaves its
 * responses, which have their own state.
 */
async function purgeBatch({ db, now }: Purging): Promise<boolean> {
  const expired = (table: typeof cases | typeof responses) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(isNotNull(table.deletedAt), lt(table.deletedAt, now - deletedRetentionMs)))
      .orderBy(asc(table.deletedAt), asc(table.id))
      .limit(batchRows);
  const isBare = sql`not exists (select 1 from response_revision v where v.response_id = ${responses.id})`;
  const responsesGone = and(inArray(responses.id, expired(responses)), isBare);
  const casesGone = inArray(cases.id, expired(cases));
  const slice = revisionsOf(sql`(${expired(responses)})`, { rows: batchRows, bytes: batchBytes });
  const purged = await db.batch([
    db
      .delete(responseRevisions)
      .where(sql`(${responseRevisions.responseId}, ${responseRevisions.number}) in ${slice}`)
      .returning({ number: responseRevisions.number }),
    db
      .update(investigations)
      .set({
        deletedBytes: sql`deleted_bytes - gone.bytes`,
        storedBytes: sql`${investigations.storedBytes} + gone.items * ${feedBytes}`,
      })
      .from(
        sql`(select study, sum(bytes) as bytes, count(*) as items from (
          select ${responses.investigationId} as study, ${responses.storedBytes} as bytes from ${responses} where ${responsesGone}
          union all select ${cases.investigationId}, ${storedCaseBytes} from ${cases} where ${casesGone}) group by study) gone`,
      )
      .where(sql`${investigations.id} = gone.study`)
      .returning({ id: investigations.id }),
    db.delete(responses).where(responsesGone).returning({ id: responses.id }),
    db.delete(cases).where(casesGone).returning({ id: cases.id }),
  ]);
  return purged.some((rows) => rows.length > 0);
}

/** Bytes that count for an item that is purged: its line in the feed of changes stays. */
const feedBytes = 100;
