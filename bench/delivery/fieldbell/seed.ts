import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { StoredReminders } from '../../../src/db/schema.ts';
import { auth } from '../../support/fieldbell.ts';
import { dateAfter, expiresAfter, notification, type Person, type Study, timeZone } from '../people.ts';

/** `pending`: everyone's next occurrence, if it is planned already. */
export interface Seed {
  people: readonly Person[];
  study: Study;
  /** The study began two days before, so that today's occurrence is number 2. */
  today: string;
  pending: { recurrence: string; dueAt: number } | null;
}

type Row = Record<string, SQLInputValue>;

export const counter = 2;
export const ownerSubject = 'ada';

/** Inserts the study, its members and their phones into an empty database. */
export function seed(path: string, { people, study, today, pending }: Seed): void {
  const startsOn = dateAfter(today, -counter);
  const createdAt = Date.parse(startsOn);
  const database = new DatabaseSync(path);
  const insert = (table: string, rows: Row[]) => insertAll(database, table, rows);
  database.exec('begin immediate');
  insert('user', [
    userRow(study.owner, ownerSubject, createdAt),
    ...people.map(({ id }) => userRow(id, id, createdAt)),
  ]);
  insert('investigation', [
    {
      id: study.investigation,
      name: 'Sleep',
      time_zone: timeZone,
      starts_on: startsOn,
      created_at: createdAt,
      active_since: createdAt,
    },
  ]);
  insert('member', [
    { investigation_id: study.investigation, user_id: study.owner, role: 'owner', created_at: createdAt },
    ...people.map(({ id }) => ({
      investigation_id: study.investigation,
      user_id: id,
      role: 'responder',
      created_at: createdAt,
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
      reminders_since: createdAt,
      created_at: createdAt,
    },
  ]);
  insert(
    'device',
    people.map((person) => deviceRow(person, createdAt)),
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

const userRow = (id: string, subject: string, createdAt: number): Row => ({
  id,
  issuer: auth.issuer,
  subject,
  name: `Person ${subject}`,
  time_zone: timeZone,
  named_at: createdAt,
  created_at: createdAt,
});

const deviceRow = ({ id, device, token, endpoint }: Person, createdAt: number): Row => ({
  id: device,
  user_id: id,
  platform: 'android',
  token,
  endpoint,
  time_zone: timeZone,
  created_at: createdAt,
  updated_at: createdAt,
  seen_at: createdAt,
});

function insertAll(database: DatabaseSync, table: string, rows: Row[]) {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  const values = names.map(() => '?').join(', ');
  const statement = database.prepare(`insert into ${table} (${names.join(', ')}) values (${values})`);
  for (const row of rows) statement.run(...names.map((name) => row[name] ?? null));
}
