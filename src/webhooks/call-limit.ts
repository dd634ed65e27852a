import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { Problem } from '../errors.ts';

/** Between two tests or replays of a webhook, and before a change of it calls again; those of all webhooks of an owner. */
const askMs = 10_000;
const askedOfOwner = 5;

/** The next call of a webhook that was changed: at once, or ten seconds after the last. */
export const nextCall = ({ calledAt }: { calledAt: number | null }, now: number): number =>
  calledAt !== null && calledAt <= now ? Math.max(now, calledAt + askMs) : now;

/** Of a clock that was set back since, nothing is recent. */
const isRecent = (column: string) => `(${column} > :now - :askMs and ${column} <= :now)`;

/**
 * Counts a test or a replay of a webhook that the owner may see: one in ten seconds, and five of all their webhooks, so
 * that nobody's receiver is called often. @throws rate.limited
 */
export async function requireTurn(
  { db, actor, now }: Context,
  { id, askedAt }: { id: string; askedAt: number | null },
): Promise<void> {
  const [counted] = await query<{ id: string }>(
    db,
    `update webhook set asked_at = :now where id = :id and not coalesce(${isRecent('asked_at')}, 0)
        and (select count(*) from current_member m join webhook w on w.investigation_id = m.investigation_id
          where m.user_id = :actor and m.role = 'owner' and ${isRecent('w.asked_at')}) < :ofOwner
      returning id`,
    { id, actor, now, askMs, ofOwner: askedOfOwner },
  );
  if (counted) return;
  const waitMs = askedAt !== null && askedAt <= now ? Math.max(0, askedAt + askMs - now) : 0;
  const retryAfterSeconds = Math.ceil((waitMs || askMs) / 1000);
  throw new Problem(
    'rate.limited',
    `Expected one test or replay of a webhook in ten seconds, and ${askedOfOwner} of all of yours: wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
