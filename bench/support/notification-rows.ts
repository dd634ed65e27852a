import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { tzRelease } from '../../src/schedule/zones.ts';
import { id, text, upTo } from './sql.ts';

const dayMs = 86_400_000;

/** A pending reminder of each member, and a sent one on the day before; the first members have sent ones on more days. */
export interface PendingReminders {
  due: number;
  zone: string;
  history?: { members: number; days: number };
}

interface Members {
  survey: string;
  members: number;
  /** The identifier of a member. */
  member: (n: number) => string;
}

/** Pending rows of one statement: D1 takes 100 KB. */
const portion = 1_000;

/** Statements that insert them. A pending one has the identifier that the service computes. */
export function notificationRows(of: Members & PendingReminders) {
  const survey = text(of.survey);
  const on = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: of.zone });
  const dueToday = Math.round((Date.parse(on(of.due)) - Date.parse('2026-01-01')) / dayMs);
  const sentId = (daysAgo: number) => id('8', 'n', daysAgo);
  const sent = (daysAgo: number, members: number) => {
    const due = of.due - daysAgo * dayMs;
    return `insert into notification (user_id, due_at, id, survey_id, revision, occurrence, counter, time_zone, settled_at, state)
       select ${id('1', 'n + 1')}, ${due}, ${sentId(daysAgo)}, ${survey}, 0, '${on(due)}', ${dueToday - daysAgo},
         ${text(of.zone)}, ${due}, 'sent' from ${upTo(members)}`;
  };
  const pendingId = (n: number) => occurrenceIdentifier(of.member(n), of.survey, 0, on(of.due));
  const pending = Array.from({ length: Math.ceil(of.members / portion) }, (_, part) => {
    const first = part * portion;
    const count = Math.min(portion, of.members - first);
    const rows = text(Array.from({ length: count }, (_, n) => [first + n, pendingId(first + n)]));
    return `insert into scheduled_notification (user_id, survey_id, id, revision, occurrence, counter, due_at, time_zone,
      attempt_at, next_at, last, unanswered)
      select ${id('1', 'n + 1')}, ${survey}, id, 0, '${on(of.due)}', ${dueToday}, ${of.due}, ${text(of.zone)},
        ${of.due}, ${of.due}, ${sentId(1)}, 3 from (select value ->> 0 as n, value ->> 1 as id from json_each(${rows}))`;
  });
  const { members, days } = of.history ?? { members: 0, days: 1 };
  const history = Array.from({ length: days - 1 }, (_, n) => sent(days - n, Math.min(members, of.members)));
  // As in any database in use: otherwise every user is planned again after the start, during the measurement.
  const rules = `insert or ignore into job_run (name, ran_at, after) values ('zones', ${of.due}, ${text(tzRelease)})`;
  // In the order in which they are settled.
  return [rules, ...history, sent(1, of.members), ...pending];
}
