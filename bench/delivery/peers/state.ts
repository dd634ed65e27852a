import { DatabaseSync } from 'node:sqlite';
import { expiresAfter, notification } from '../../support/study-rows.ts';
import { dateAfter, type Person, study, timeZone } from '../people.ts';
import type { Records } from '../system.ts';
import type { Reminder } from './publication.ts';
import type { Task } from './task.ts';

const lockTimeoutMs = 5_000;

/** The application's data in SQLite, beside a queue or without one. */
const tables = `
  create table survey (
    id text primary key, investigation text not null, recurrence text not null,
    subject text not null, body text not null, expires_after integer not null) without rowid;
  create table participant (id text primary key, time_zone text not null, endpoint text not null) without rowid;
  create table occurrence (
    user text not null, survey text not null, occurrence text not null, due_at integer not null,
    sent_at integer, message_id text, primary key (user, survey, occurrence)) without rowid;`;

/** As Fieldbell's: a commit waits for the disk, and cache and log have the same size. */
const settings = `pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
  pragma wal_autocheckpoint = 8000;`;

export interface Found extends Reminder {
  recurrence: string;
  zone: string;
  sent: boolean;
}

export interface Sent {
  task: Task;
  messageId: string;
  next: Task;
}

export function openState(path: string) {
  const database = new DatabaseSync(path);
  database.exec(settings);
  const find = database.prepare(`
    select p.time_zone as zone, p.endpoint, s.investigation, s.recurrence, s.subject, s.body,
      s.expires_after as expiresAfter, o.sent_at is not null as sent
    from occurrence o join participant p on p.id = o.user join survey s on s.id = o.survey
    where o.user = ? and o.survey = ? and o.occurrence = ?`);
  const settle = database.prepare(
    'update occurrence set sent_at = ?, message_id = ? where user = ? and survey = ? and occurrence = ?',
  );
  const plan = database.prepare(
    'insert into occurrence (user, survey, occurrence, due_at) values (?, ?, ?, ?) on conflict do nothing',
  );
  const due = database.prepare(
    'select user, survey, occurrence as "on", due_at as dueAt from occurrence where sent_at is null and due_at <= ?',
  );
  return {
    due: (now: number) => due.all(now) as unknown as Task[],
    find(task: Task): Found | undefined {
      const row = find.get(task.user, task.survey, task.on);
      return row && ({ ...task, ...row, sent: row.sent === 1 } as unknown as Found);
    },
    /** One transaction. */
    record(all: readonly Sent[]): void {
      const now = Date.now();
      database.exec('begin immediate');
      for (const { task, messageId, next } of all) {
        settle.run(now, messageId, task.user, task.survey, task.on);
        plan.run(next.user, next.survey, next.on, next.dueAt);
      }
      database.exec('commit');
    },
  };
}

/** A new file in which everyone's occurrence of the day is planned. */
export function seedState(path: string, people: readonly Person[], recurrence: string, first: Task[]) {
  const database = new DatabaseSync(path);
  database.exec(settings + tables);
  database.exec('begin');
  database
    .prepare('insert into survey values (?, ?, ?, ?, ?, ?)')
    .run(
      study.survey,
      study.investigation,
      recurrence,
      notification.subject,
      notification.body,
      expiresAfter,
    );
  const participant = database.prepare('insert into participant values (?, ?, ?)');
  for (const { id, endpoint } of people) participant.run(id, timeZone, endpoint);
  const occurrence = database.prepare('insert into occurrence values (?, ?, ?, ?, null, null)');
  for (const { user, survey, on, dueAt } of first) occurrence.run(user, survey, on, dueAt);
  database.exec('commit');
  database.close();
}

export function countRecords(path: string, today: string): Records {
  const database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeoutMs });
  const count = (condition: string, on: string) =>
    Number(
      database.prepare(`select count(*) as n from occurrence where occurrence = ? and ${condition}`).get(on)
        ?.n,
    );
  const records = {
    sent: count('sent_at is not null', today),
    planned: count('sent_at is null', dateAfter(today, 1)),
  };
  database.close();
  return records;
}
