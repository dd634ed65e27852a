import type { Pool, PoolClient } from 'pg';
import { expiresAfter, notification } from '../../support/study-rows.ts';
import type { Reminder } from '../peers/publication.ts';
import type { Task } from '../peers/task.ts';
import { dateAfter, type Person, study, timeZone } from '../people.ts';
import type { Records } from '../system.ts';

/** The application's data beside its queue. */
const tables = `
  create table survey (
    id text primary key, investigation text not null, recurrence text not null,
    subject text not null, body text not null, expires_after integer not null);
  create table participant (id text primary key, time_zone text not null, endpoint text not null);
  create table occurrence (
    "user" text not null, survey text not null, occurs_on text not null, due_at bigint not null,
    sent_at timestamptz, message_id text, primary key ("user", survey, occurs_on))`;

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

/** The reminders of a batch, in one query. */
export async function findAll(pool: Pool, tasks: readonly Task[]): Promise<Found[]> {
  const { rows } = await pool.query<Omit<Found, 'dueAt'> & { dueAt: string }>({
    name: 'find',
    text: `select o."user", o.survey, o.occurs_on as on, o.due_at as "dueAt", o.sent_at is not null as sent,
        p.time_zone as zone, p.endpoint, s.investigation, s.recurrence, s.subject, s.body,
        s.expires_after as "expiresAfter"
      from unnest($1::text[], $2::text[], $3::text[]) t ("user", survey, occurs_on)
        join occurrence o using ("user", survey, occurs_on)
        join participant p on p.id = o."user" join survey s on s.id = o.survey`,
    values: [tasks.map(({ user }) => user), tasks.map(({ survey }) => survey), tasks.map(({ on }) => on)],
  });
  return rows.map((row) => ({ ...row, dueAt: Number(row.dueAt) }));
}

/** Records the sent pushes and inserts their successors: two statements for any number. */
export async function recordAll(client: PoolClient, all: readonly Sent[]): Promise<void> {
  await client.query({
    name: 'settle',
    text: `update occurrence o set sent_at = now(), message_id = t.message_id
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) t ("user", survey, occurs_on, message_id)
      where (o."user", o.survey, o.occurs_on) = (t."user", t.survey, t.occurs_on)`,
    values: [
      all.map(({ task }) => task.user),
      all.map(({ task }) => task.survey),
      all.map(({ task }) => task.on),
      all.map(({ messageId }) => messageId),
    ],
  });
  await client.query({ name: 'plan', text: planText, values: columnsOf(all.map(({ next }) => next)) });
}

const planText = `insert into occurrence ("user", survey, occurs_on, due_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) on conflict do nothing`;

const columnsOf = (tasks: readonly Task[]) => [
  tasks.map(({ user }) => user),
  tasks.map(({ survey }) => survey),
  tasks.map(({ on }) => on),
  tasks.map(({ dueAt }) => dueAt),
];

/** Fills an empty database: everyone's occurrence of the day is planned. */
export async function seedState(pool: Pool, people: readonly Person[], recurrence: string, first: Task[]) {
  await pool.query(tables);
  const { subject, body } = notification;
  const survey = [study.survey, study.investigation, recurrence, subject, body, expiresAfter];
  await pool.query('insert into survey values ($1, $2, $3, $4, $5, $6)', survey);
  await pool.query(
    'insert into participant (id, endpoint, time_zone) select *, $3 from unnest($1::text[], $2::text[])',
    [people.map(({ id }) => id), people.map(({ endpoint }) => endpoint), timeZone],
  );
  await pool.query(planText, columnsOf(first));
  // Autovacuum would do it a minute later; until then the planner guesses.
  await pool.query('analyze');
}

export async function countRecords(pool: Pool, today: string): Promise<Records> {
  const count = async (condition: string, on: string) => {
    const text = `select count(*)::int as n from occurrence where occurs_on = $1 and ${condition}`;
    return (await pool.query<{ n: number }>(text, [on])).rows[0]?.n ?? 0;
  };
  const sent = await count('sent_at is not null', today);
  return { sent, planned: await count('sent_at is null', dateAfter(today, 1)) };
}
