import { DatabaseSync } from 'node:sqlite';
import { dateAfter, study } from '../people.ts';
import type { Records } from '../system.ts';

const halfDayMs = 12 * 3600_000;

/** Reads the database of a running service. `due` is by the service's clock. The owner, who has no phone, is not counted. */
export function openRecords(path: string, { today, due }: { today: string; due: number }) {
  const database = new DatabaseSync(path, { readOnly: true });
  // By the index of due notifications, at the same cost for any number of people. A row to retry is looked at within
  // hours, a successor after a day.
  const pending = database.prepare('select 1 from scheduled_notification where next_at < ? limit 1');
  const count = (condition: string, ...values: (string | number)[]) => {
    const sql = `select count(*) as n from scheduled_notification c left join notification n on n.id = c.last
      where c.survey_id = ? and c.user_id <> ? and ${condition}`;
    return Number(database.prepare(sql).get(study.survey, study.owner, ...values)?.n);
  };
  return {
    /** Whether an occurrence is not settled yet. */
    hasPending: () => pending.get(due + halfDayMs) !== undefined,
    count(): Records {
      const sent = count("n.state = 'sent' and n.occurrence = ?", today);
      const next = count('c.occurrence = ? and c.due_at > ?', dateAfter(today, 1), due);
      // Each person and survey has one cursor, which stands before one date and behind another.
      return { sent, planned: next };
    },
    close: () => database.close(),
  };
}
