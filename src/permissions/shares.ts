import { eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named } from '../db/query.ts';
import { limitReached } from '../errors.ts';
import { dayMs } from '../schedule/days.ts';
import { investigations, writtenDay } from '../studies/schema.ts';
import { textBytes } from './limits.ts';

/*
 * The bytes that participants write on a day, by UTC, have bounds: for each of them, and for all of a study together, so that nobody
 * takes the room of others. A hundredth of what one may write is everybody's own, whatever others wrote.
 */

/** A value, or the parameter of a query. */
type Value = SQL | string | number;

/** The actor, the day, and its bounds. */
export interface Share<T = Value> {
  actor: T;
  day: T;
  personBytes: T;
  participantsBytes: T;
}

/** The parameters of a query that is a text. */
export const namedShare: Share<SQL> = {
  actor: named('actor'),
  day: named('day'),
  personBytes: named('personBytes'),
  participantsBytes: named('participantsBytes'),
};

export const shareOf = ({ actor, now, limits }: Pick<Context, 'actor' | 'now' | 'limits'>) => ({
  actor,
  day: Math.floor(now / dayMs),
  personBytes: limits.personBytes,
  participantsBytes: limits.participantsBytes,
});

/** Bytes that may still be written today, by the bound; null for owners and editors. */
export type Room = Record<keyof typeof problems, number | null>;

const ownPart = sql.raw('100');

/** In SQL: what the column of this row says of that day. */
const writtenOn = (row: string, day: Value): SQL => {
  const written = sql.raw(`${row}.written`);
  const unit = sql.raw(String(writtenDay));
  return sql`iif(${written} / ${unit} = ${day}, ${written} % ${unit}, 0)`;
};

const rooms = ({ day, personBytes, participantsBytes }: Share) => ({
  MAX_PERSON_BYTES: sql`(${personBytes} - ${writtenOn('sharer', day)})`,
  MAX_PARTICIPANTS_BYTES: sql`max(${personBytes} / ${ownPart} - ${writtenOn('sharer', day)},
    ${participantsBytes} - ${writtenOn('investigation', day)})`,
});

const ofMember = (value: SQL, actor: Value): SQL =>
  sql`(select ${value} from member sharer where sharer.investigation_id = investigation.id and sharer.user_id = ${actor})`;

/** In SQL, for an `investigation` row that is read: the {@link Room} of the actor, as JSON. */
export function roomOf(share: Share): SQL<string> {
  const found = rooms(share);
  const parts = Object.entries(found).map(
    ([bound, room]) => sql`${sql.raw(`'${bound}'`)}, iif(sharer.role = 'responder', ${room}, null)`,
  );
  return ofMember(sql`json_object(${sql.join(parts, sql`, `)})`, share.actor) as SQL<string>;
}

export const parseRoom = (room: string | null): Room => JSON.parse(room ?? '{}');

/** The room of the actor in a study. */
export const selectRoom = (
  context: Pick<Context, 'db' | 'actor' | 'now' | 'limits'>,
  investigation: string,
) =>
  context.db
    .select({ room: roomOf(shareOf(context)).mapWith(parseRoom).as('room') })
    .from(investigations)
    .where(eq(investigations.id, investigation));

/** In SQL, for an `investigation` row that is read: the actor may write this many more bytes. */
export function hasShare(share: Share, bytes: number): SQL {
  const found = Object.values(rooms(share));
  return ofMember(
    sql`sharer.role <> 'responder' or ${bytes} <= min(${sql.join(found, sql`, `)})`,
    share.actor,
  );
}

/** @throws limit.reached */
export function requireShare(
  { now, limits }: Pick<Context, 'now' | 'limits'>,
  room: Room,
  bytes: number,
): void {
  for (const [bound, left] of Object.entries(room)) {
    if (left === null || bytes <= left) continue;
    const tomorrow = new Date((Math.floor(now / dayMs) + 1) * dayMs).toISOString();
    throw limitReached(
      bound,
      `${problems[bound as keyof Room](limits)} There is room again from ${tomorrow} on.`,
    );
  }
}

/**
 * Refuses an entry of the log to a participant who has written enough today. Only actions that can be undone and repeated
 * have no end. @throws limit.reached
 */
export function requireEntry(
  context: Pick<Context, 'now' | 'limits'>,
  room: Room | undefined,
  { action, bytes }: { action: string; bytes: number },
): void {
  if (room && action !== 'items.unlocked' && action !== 'items.deleted') requireShare(context, room, bytes);
}

/** Bytes that an entry of the log counts for a participant's day: itself, an identifier for each item, and the reason. */
export const entryBytes = (items: number, reason = '') => 1_000 + 36 * items + textBytes(reason);

const problems = {
  MAX_PERSON_BYTES: ({ personBytes }: Context['limits']) =>
    `You would write more than ${personBytes} bytes in this study today.`,
  MAX_PARTICIPANTS_BYTES: ({ participantsBytes }: Context['limits']) =>
    `The participants of the study would write more than ${participantsBytes} bytes together today.`,
};
