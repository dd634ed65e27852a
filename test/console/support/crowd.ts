import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { localDate } from '../../../src/schedule/civil.ts';
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
  const run = (sql: string, ...values: (string | number)[]) => db.prepare(sql).run(...values);
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
  run(
    `${everybody} insert into survey_download (user_id, survey_id, at, local_date)
      select id, ?, 0, '2026-01-01' from fresh where i % 30 > 0`,
    survey,
  );
  run(
    `${everybody} insert into silent_participant (survey_id, user_id)
      select s.id, fresh.id from fresh cross join survey s where s.investigation_id = ? and i % 10 = 0`,
    id,
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
      `insert into survey_compliance select s.id, date.value, ?, ?, ?, ?, ?, 0
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
  const at = "cast(strftime('%s', 'now', '-' || ago || ' days') as integer) * 1000";
  db.prepare(
    `with recursive n(ago) as (select 0 union all select ago + 1 from n where ago < ?1 - 1),
      drawn as (select u.id as user, ago, (ago + unicode(substr(u.id, -1))) % 35 as kind from user u cross join n
        where u.issuer = 'crowd')
      insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at,
        time_zone, settled_at, state, reason, opened_at, answered_at)
      select user, ?2, 0, date(?3, '-' || ago || ' days'), 0, ${at}, 0, 'UTC', ${at},
        case kind when 5 then 'failed' when 7 then 'skipped' else 'sent' end, case kind when 7 then 'no-device' end,
        iif(kind not in (5, 7, 10), ${at} + 60000, null), iif(kind not in (5, 7, 10, 14), ${at} + 120000, null) from drawn`,
    // Days of the study's zone, where the next one begins before it does in UTC.
  ).run(days, survey, localDate(Date.now(), 'Europe/Paris'));
  db.close();
}
