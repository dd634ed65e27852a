import { and, asc, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { changes } from '../changes/schema.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { purgeAfterMs } from '../schedule/retention.ts';
import { investigations } from '../studies/schema.ts';
import {
  cases,
  emptiedAt,
  lookedAtAgain,
  maxLateMs,
  responseRevisions,
  responses,
  revisionsOf,
  storedCaseBytes,
  writtenCaseBytes,
} from './schema.ts';
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
 * Whether anything was removed. A response goes after its revisions, which may take several batches. A case loses what was written
 * in it, and goes when it has no responses any more, which have its group.
 */
async function purgeBatch({ db, now }: Purging): Promise<boolean> {
  const expired = (table: typeof cases | typeof responses) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(gt(table.deletedAt, emptiedAt), lt(table.deletedAt, now - purgeAfterMs)))
      .orderBy(asc(table.deletedAt), asc(table.id))
      .limit(batchRows);
  const isBare = sql`not exists (select 1 from response_revision v where v.response_id = ${responses.id})`;
  const responsesGone = sql`${inArray(responses.id, expired(responses))} and ${isBare}`;
  const isAnswered = sql`exists (select 1 from response r where r.case_id = ${cases.id})`;
  const casesGone = sql`${inArray(cases.id, expired(cases))} and not ${isAnswered}`;
  const casesEmptied = sql`${inArray(cases.id, expired(cases))} and ${isAnswered}`;
  const goneCases = sql`select 'case' as kind, ${cases.id} as id, ${cases.investigationId} as study,
    ${cases.properties} as properties, ${storedCaseBytes} as bytes from ${cases} where ${casesGone}`;
  const goneResponses = sql`select 'response' as kind, ${responses.id} as id, ${responses.investigationId} as study,
    ${cases.properties} as properties, ${responses.storedBytes} as bytes
    from ${responses} left join ${cases} on ${cases.id} = ${responses.caseId} where ${responsesGone}`;
  const emptied = sql`select ${cases.investigationId} as study, ${writtenCaseBytes} as bytes from ${cases} where ${casesEmptied}`;
  const slice = revisionsOf(sql`(${expired(responses)})`, { rows: batchRows, bytes: batchBytes });
  // Each act moves the rows that are next, so that its bytes are counted right before it.
  const purged = await db.batch([
    db
      .delete(responseRevisions)
      .where(sql`(${responseRevisions.responseId}, ${responseRevisions.number}) in ${slice}`)
      .returning({ number: responseRevisions.number }),
    free(db, goneCases, feedBytes),
    keepGroup(db, goneCases),
    db.delete(cases).where(casesGone).returning({ id: cases.id }),
    free(db, emptied),
    db
      .update(cases)
      .set({ label: '', createdWith: '', deletedAt: emptiedAt })
      .where(casesEmptied)
      .returning({ id: cases.id }),
    db
      .update(cases)
      .set({ deletedAt: lookedAtAgain })
      .where(
        sql`+${cases.deletedAt} = ${emptiedAt} and ${cases.id} in (select ${responses.caseId} from ${responses} where ${responsesGone})`,
      )
      .returning({ id: cases.id }),
    free(db, goneResponses, feedBytes),
    keepGroup(db, goneResponses),
    db.delete(responses).where(responsesGone).returning({ id: responses.id }),
  ]);
  return purged.some((rows) => Array.isArray(rows) && rows.length > 0);
}

/** Bytes that count for an item that is purged: its line in the feed of changes stays. */
const feedBytes = 100;

/** A statement: the `bytes` of rows, each of a `study`, count no more, but for those that each leaves. */
const free = (db: Database, rows: SQL, left = 0) =>
  db
    .update(investigations)
    .set({
      deletedBytes: sql`deleted_bytes - gone.bytes`,
      storedBytes: sql`${investigations.storedBytes} + gone.n * ${left}`,
    })
    .from(sql`(select study, sum(bytes) as bytes, count(*) as n from (${rows}) group by study) gone`)
    .where(sql`${investigations.id} = gone.study`);

/** A statement: copies of a part of a study learn of the deletion of rows whenever they ask. */
const keepGroup = (db: Database, rows: SQL) =>
  db
    .update(changes)
    .set({ properties: sql`gone.properties` })
    .from(sql`(${rows}) gone`)
    .where(
      sql`${changes.identifier} = gone.id and ${changes.investigationId} = gone.study and ${changes.kind} = gone.kind
        and gone.properties is not null`,
    );
