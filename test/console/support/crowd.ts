import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { localDate } from '../../../src/schedule/civil.ts';
import {
  insertDownloads,
  insertPast,
  insertSilent,
  type Past,
  type Statement,
} from '../../support/reminder-rows.ts';
import type { Study } from '../../support/studies.ts';
import type { Console } from './console.ts';

const dayMs = 86_400_000;
const surveys = 3;

/**
 * Participants and a year of their reminders, written into the service's database past its front door: each has a phone
 * that works or not, paused or not, and the counts that their reminders would have produced.
 */
export function seedCrowd({ service }: Console, { id, survey, owner }: Study, people: number) {
  const db = new DatabaseSync(join(service.folder, 'fieldbell.db'));
  const now = Date.now();
  const run = (sql: string, ...values: (string | number | null)[]) => db.prepare(sql).run(...values);
  const everybody = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people}),
    fresh(id, i) as (select 'c0ffee' || printf('%026x', i), i from n)`;
  db.exec('begin');
  for (let n = 1; n < surveys; n++)
    run(
      `insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at, revision_id, created_hash)
        select 'd1a7' || printf('%028x', ?), investigation_id, 'Diary ' || ?, items, reminders, 0, created_at + ?, revision_id, ''
        from survey where id = ?`,
      n,
      n,
      n,
      survey,
    );
  run(`${everybody} insert into user (id, issuer, subject, name, time_zone, created_at)
    select id, 'crowd', id, 'Participant ' || i, 'Europe/Paris', 0 from fresh`);
  run(
    `${everybody} insert into member (investigation_id, user_id, role, created_at, paused_until)
      select ?, id, 'responder', 0, iif(i % 50 = 0, ?, null) from fresh`,
    id,
    now + 30 * dayMs,
  );
  run(
    `${everybody} insert into device (id, user_id, platform, token, endpoint, time_zone, enabled, created_at, updated_at, seen_at)
      select id, id, 'android', id, 'endpoint-of-' || id, 'Europe/Paris', i % 20 > 0, 0, 0, ? from fresh`,
    now,
  );
  const fresh = Array.from({ length: people }, (_, n) => `c0ffee${(n + 1).toString(16).padStart(26, '0')}`);
  const some = (isOne: (n: number) => boolean) => fresh.filter((_, n) => isOne(n + 1));
  const perform = ({ sql, values }: Statement) => run(sql, ...values);
  perform(
    insertDownloads(
      survey,
      some((n) => n % 30 > 0),
      0,
      '2026-01-01',
    ),
  );
  const all = db.prepare('select id from survey where investigation_id = ?').all(id);
  for (const one of all)
    perform(
      insertSilent(
        String(one.id),
        some((n) => n % 10 === 0),
      ),
    );
  seedCounts(run, { id, people, now });
  run('update investigation set name = ? where id = ?', `A crowd of ${owner.name}`, id);
  db.exec('commit');
  db.close();
}

/** The counts of each survey on each day of the last year. */
function seedCounts(
  run: (sql: string, ...values: (string | number)[]) => unknown,
  { id, people, now }: { id: string; people: number; now: number },
) {
  const dates = Array.from({ length: 366 }, (_, day) =>
    new Date(now - day * dayMs).toISOString().slice(0, 10),
  );
  for (const [outcome, part] of Object.entries({ sent: 0.9, failed: 0.01, 'skipped:no-device': 0.05 })) {
    const noticed = outcome === 'sent' ? [0.8, 0.7, 0.6] : [0, 0, 0];
    run(
      `insert into survey_compliance select s.id, '', date.value, ?, ?, ?, ?, ?, 0
        from survey s, json_each(?) date where s.investigation_id = ?`,
      outcome,
      ...[part, ...noticed].map((share) => Math.round(people * share)),
      JSON.stringify(dates),
      id,
    );
  }
}

/**
 * A reminder a day of each participant whom `seedCrowd` made, on the last days: answered, or each fifth and seventh day
 * opened, sent, failed or skipped.
 */
export function seedDays({ service }: Console, { survey }: Study, days: number) {
  const db = new DatabaseSync(join(service.folder, 'fieldbell.db'));
  const now = Math.floor(Date.now() / 1000) * 1000;
  // Days of the study's zone, where the next one begins before it does in UTC.
  const today = Date.parse(`${localDate(now, 'Europe/Paris')}T00:00:00.000Z`);
  const people = db.prepare("select id from user where issuer = 'crowd'").all();
  const seeds = people.flatMap(({ id }) =>
    Array.from({ length: days }, (_, ago): Past => {
      const user = String(id);
      const kind = (ago + (user.codePointAt(user.length - 1) ?? 0)) % 35;
      const at = now - ago * dayMs;
      return {
        ...{ user, survey, on: new Date(today - ago * dayMs).toISOString().slice(0, 10), dueAt: at },
        state: kind === 5 ? 'failed' : kind === 7 ? 'skipped' : 'sent',
        reason: kind === 7 ? 'no-device' : null,
        openedAt: [5, 7, 10].includes(kind) ? null : at + 60_000,
        answeredAt: [5, 7, 10, 14].includes(kind) ? null : at + 120_000,
      };
    }),
  );
  for (const { sql, values } of insertPast(seeds)) db.prepare(sql).run(...values);
  db.close();
}
