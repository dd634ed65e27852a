import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { leavingEndpoints } from '../db/schema/operations.ts';
import type { Context } from './context.ts';

/*
 * A device that is retired or replaced goes at once, its endpoint when the relay is asked for it afterwards. The request may
 * die before, or the relay be out of reach. So what takes the endpoint from the device notes it in the same batch, and the
 * hourly work ends what is noted (`mendLeaving`): nobody is pushed to meanwhile.
 */

export type LeavingEndpoint = typeof leavingEndpoints.$inferSelect;

type Noting = Pick<Context, 'db' | 'now'>;

/** A statement: the endpoints of the devices that `which` finds. THIS COMES BEFORE THE DEVICES ARE WRITTEN. */
export const noteLeaving = ({ db, now }: Noting, which: SQL) =>
  db
    .insert(leavingEndpoints)
    .select(sql`select distinct endpoint, ${now} from device where ${which}`)
    .onConflictDoUpdate({ target: leavingEndpoints.endpoint, set: { notedAt: now } });

/** A statement: the relay gave this endpoint to a device that was not stored. */
export const noteUnused = ({ db, now }: Noting, endpoint: string) =>
  db
    .insert(leavingEndpoints)
    .values({ endpoint, notedAt: now })
    .onConflictDoUpdate({ target: leavingEndpoints.endpoint, set: { notedAt: now } });

/** Requests that are under way see to it themselves. */
const graceMs = 60_000;
const maxLeaving = 50;

/** What was given up a minute ago or more, oldest first. */
export const readLeaving = ({ db, now }: Noting) =>
  db
    .select()
    .from(leavingEndpoints)
    .where(lt(leavingEndpoints.notedAt, now - graceMs))
    .orderBy(leavingEndpoints.notedAt)
    .limit(maxLeaving);

/** In SQL: no request has noted the endpoint since. */
const isAsRead = ({ endpoint, notedAt }: LeavingEndpoint) =>
  and(eq(leavingEndpoints.endpoint, endpoint), eq(leavingEndpoints.notedAt, notedAt)) as SQL;

/** A statement: the endpoint has left the relay, or has a device again. */
export const forgetLeaving = ({ db }: Noting, leaving: LeavingEndpoint) =>
  db.delete(leavingEndpoints).where(isAsRead(leaving));

/** A statement: leaves the endpoint to a later run. */
export const postponeLeaving = ({ db, now }: Noting, leaving: LeavingEndpoint) =>
  db.update(leavingEndpoints).set({ notedAt: now }).where(isAsRead(leaving));
