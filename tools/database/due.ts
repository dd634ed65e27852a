import type { OpenDatabase } from '../../src/platform/server/open-sqlite.ts';

type Client = Pick<OpenDatabase['client'], 'query'>;

/** When the next reminder is due, or is to be pushed again (epoch ms); infinity: none is. */
export async function nextDue(client: Client): Promise<number> {
  const [row] = await client.query(
    'select min(next_at) as at from scheduled_notification where next_at is not null',
  );
  return typeof row?.at === 'number' ? row.at : Number.POSITIVE_INFINITY;
}

/** Users with reminders that are due, or are to be pushed again. */
export async function usersDue(client: Client, now: number, most: number): Promise<string[]> {
  const rows = await client.query(
    'select distinct user_id as user from scheduled_notification where next_at is not null and next_at <= ? limit ?',
    [now, most],
  );
  return rows.map(({ user }) => String(user));
}
