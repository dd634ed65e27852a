import { DatabaseSync } from 'node:sqlite';
import { dateAfter, type Study } from '../people.ts';
import type { Books } from '../system.ts';

const halfDayMs = 12 * 3600_000;

/**
 * Looks into the database of a service that runs. `due` is by the service's clock. The owner, who has no phone, is not
 * counted.
 */
export function openBooks(path: string, { study, today, due }: { study: Study; today: string; due: number }) {
  const database = new DatabaseSync(path, { readOnly: true });
  // Along the index of what is pending: it costs the same however many there are. What is tried again is looked at
  // within hours, and a successor after a day.
  const waiting = database.prepare(
    'select 1 from scheduled_notification where settled_at is null and look_at < ? limit 1',
  );
  const count = (condition: string, ...values: (string | number)[]) => {
    const sql = `select count(*) as n from scheduled_notification where survey_id = ? and user_id <> ? and ${condition}`;
    return Number(database.prepare(sql).get(study.survey, study.owner, ...values)?.n);
  };
  return {
    /** Whether somebody's occurrence is not settled yet. */
    waits: () => waiting.get(due + halfDayMs) !== undefined,
    planned: () => count('settled_at is null and due_at = ?', due),
    books(): Books {
      const rows = count('true');
      const sent = count("state = 'sent' and occurs_on = ?", today);
      const next = count('settled_at is null and occurs_on = ? and due_at > ?', dateAfter(today, 1), due);
      // The key is the person, the survey and the date: so each has one of both when there is nothing else.
      return rows === sent + next ? { sent, planned: next } : { sent, planned: rows - sent };
    },
    close: () => database.close(),
  };
}
