import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { StoredReminders } from '../../../src/db/schema.ts';
import { settings } from '../../../test/conformance/support/settings.ts';
import { dateAfter, expiresAfter, notification, type Person, type Study, timeZone } from '../people.ts';

/** What was set up, and when. `pending`: everybody's next occurrence is planned already. */
export interface Seed {
  people: readonly Person[];
  study: Study;
  /** The date of today. The study began two days before, so that today's occurrence is number 2. */
  today: string;
  pending: { recurrence: string; dueAt: number } | null;
}

type Row = Record<string, SQLInputValue>;

export const counter = 2;
export const ownerSubject = 'ada';

/** Writes the study, its members and their phones into a database that has the tables and no rows yet. */
export function seed(path: string, { people, study, today, pending }: Seed): void {
  const startsOn = dateAfter(today, -counter);
  const then = Date.parse(startsOn);
  const database = new DatabaseSync(path);
  const insert = (table: string, rows: Row[]) => insertAll(database, table, rows);
  database.exec('begin immediate');
  insert('user', [
    userRow(study.owner, ownerSubject, then),
    ...people.map(({ id }) => userRow(id, id, then)),
  ]);
  insert('investigation', [
    {
      id: study.investigation,
      name: 'Sleep',
      time_zone: timeZone,
      starts_on: startsOn,
      created_at: then,
      active_since: then,
    },
  ]);
  insert('member', [
    { investigation_id: study.investigation, user_id: study.owner, role: 'owner', created_at: then },
    ...people.map(({ id }) => ({
      investigation_id: study.investigation,
      user_id: id,
      role: 'responder',
      created_at: then,
    })),
  ]);
  insert('survey', [
    {
      id: study.survey,
      investigation_id: study.investigation,
      name: 'Diary',
      items: JSON.stringify([{ identifier: 'q1', label: 'How did you sleep?' }]),
      reminders: pending && JSON.stringify(remindersOf(pending.recurrence)),
      reminders_revision: 1,
      reminders_since: then,
      created_at: then,
    },
  ]);
  insert(
    'device',
    people.map((person) => deviceRow(person, then)),
  );
  if (pending)
    insert(
      'scheduled_notification',
      people.map(({ id }) => ({
        user_id: id,
        survey_id: study.survey,
        revision: 1,
        occurs_on: today,
        counter,
        due_at: pending.dueAt,
        look_at: pending.dueAt,
        time_zone: timeZone,
        deliveries: '[]',
      })),
    );
  database.exec('commit');
  database.close();
}

export const remindersOf = (recurrence: string): StoredReminders => ({
  type: 'rolling',
  recurrence,
  ends: null,
  delay: null,
  unlessAnswered: false,
  expiresAfter,
  notification,
});

const userRow = (id: string, subject: string, then: number): Row => ({
  id,
  issuer: settings('').AUTH_ISSUER,
  subject,
  name: `Person ${subject}`,
  time_zone: timeZone,
  named_at: then,
  created_at: then,
});

const deviceRow = ({ id, device, token, endpoint }: Person, then: number): Row => ({
  id: device,
  user_id: id,
  platform: 'android',
  token,
  endpoint,
  time_zone: timeZone,
  created_at: then,
  updated_at: then,
  seen_at: then,
});

function insertAll(database: DatabaseSync, table: string, rows: Row[]) {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const values = names.map(() => '?').join(', ');
  const statement = database.prepare(`insert into ${table} (${names.join(', ')}) values (${values})`);
  for (const row of rows) statement.run(...names.map((name) => row[name] ?? null));
}
