import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import { devices } from '../db/schema/users.ts';
import type { Context } from './context.ts';
import { settled, silenced } from './relay-changes.ts';

export type Token = Pick<typeof devices.$inferSelect, 'platform' | 'token'>;

export const withToken = ({ platform, token }: Token) =>
  and(eq(devices.platform, platform), eq(devices.token, token)) as SQL;

/** In SQL: the device has the token, or its endpoint is being given it. */
export const carriesToken = ({ platform, token }: Token) =>
  or(
    withToken({ platform, token }),
    and(eq(devices.pendingToken, token), eq(devices.platform, platform)),
  ) as SQL;

/** In SQL: a push to the device reaches the phone that has this token and this endpoint. */
export const isPhone = ({ endpoint, ...phone }: Token & { endpoint?: string | undefined }) =>
  or(carriesToken(phone), endpoint === undefined ? undefined : eq(devices.endpoint, endpoint)) as SQL;

/**
 * Ends pushes to others on a phone that somebody else has shown to be theirs. Resolves with whether there are any. THIS
 * COMES BEFORE THE RELAY IS ASKED, so that nothing that fails from there on leaves them reachable on it.
 */
export const silenceOthers = ({ db, now }: Context, token: Token, owner: string) =>
  db
    .update(devices)
    .set(silenced(now))
    .where(and(carriesToken(token), ne(devices.userId, owner)))
    .returning({ id: devices.id });

/**
 * What the row of a registered phone says. One that was taken from somebody else may still be on its way out of the relay
 * for them, even where their request has died: it is looked at once more.
 */
export const registeredAs = (token: string, { taken, now }: { taken: boolean; now: number }) => ({
  enabled: true,
  takenAt: null,
  ...(taken ? { pendingToken: token, relayChangeAt: now } : settled),
});

/**
 * Users whose zone a registration changes: the owner, when their most recent device had another zone, and users who
 * lose the token to them. THIS MUST BE READ BEFORE THE DEVICES ARE WRITTEN.
 */
export const usersMovedBy = (phone: Token & { endpoint?: string }, owner: string, zone: string) => sql`
  select distinct user_id from device where ${isPhone(phone)} and user_id <> ${owner}
  union select ${owner} where ${zone} is not
    (select time_zone from device where user_id = ${owner} order by seen_at desc limit 1)`;
