import type { DatabaseSync } from 'node:sqlite';

export interface Pending {
  survey: string;
  n: number;
  next: number;
}

/** Pending reminders of each survey: how many, and when the next is due. */
export const pendingOf = (db: DatabaseSync) =>
  db
    .prepare(
      `select survey_id as survey, count(*) as n, min(next_at) as next from scheduled_notification
        where next_at is not null group by survey_id order by survey_id`,
    )
    .all() as unknown as Pending[];

/** A notification that was sent. */
interface Sent {
  id: string;
  /** No push of it is still to come. */
  isOver: boolean;
  /** Pushes after the first one, by the record. */
  followUps: number;
}

export function sentTo(db: DatabaseSync, users: ReadonlySet<string>): Sent[] {
  const rows = db
    .prepare(
      `select n.id, c.again_at is null and c.retry_at is null as over,
          (select count(*) from json_each(n.pushes) p where p.value ->> 'kind' <> 'first') as followUps
        from notification n left join scheduled_notification c on c.last = n.id and c.user_id = n.user_id
        where n.user_id in (select value from json_each(?)) and n.state = 'sent'`,
    )
    .all(JSON.stringify([...users])) as { id: string; over: number; followUps: number }[];
  return rows.map(({ id, over, followUps }) => ({ id, isOver: over === 1, followUps }));
}

/** The newest reminder that was sent, and whose next one is planned. */
const newestSent = `select n.* from notification n
  join scheduled_notification c on c.last = n.id and c.user_id = n.user_id and c.id is not null
  where n.state = 'sent' and c.again_at is null and c.retry_at is null order by n.due_at desc, n.user_id limit 1`;

/** Makes it as it was before it was sent: its cursor stands before it. */
export const unsend = `create temp table sent as ${newestSent};
  update scheduled_notification as c set id = s.id, revision = s.revision, occurrence = s.occurrence, counter = s.counter,
    due_at = s.due_at, time_zone = s.time_zone, attempt_at = s.due_at, next_at = s.due_at, last = null
    from sent s where c.user_id = s.user_id and c.survey_id = s.survey_id;
  delete from notification where id in (select id from sent);`;
