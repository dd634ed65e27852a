import { randomUUID } from 'node:crypto';
import type { Notification } from '../../src/reminders/columns.ts';
import { storedFollowUp } from '../../src/reminders/deliveries.ts';

/** Identifiers like those of the service: in the order of time, the rest random. */
const identifier = (at: string) =>
  `printf('%012x', ${at}) || '7' || substr(lower(hex(randomblob(16))), 1, 19)`;
export const start = Date.UTC(2027, 0, 1);
const at = `${start} + d.i * 86400000 + p.n * 1000`;
const from = `(select id, cast(substr(id, 1, 4) as integer) as n from user) p, days d`;

/** Ten answers of a few words. */
const answers = `(select json_group_object('q' || value, 'about five words of text') from json_each('[1,2,3,4,5,6,7,8,9,10]'))`;

const study = '0'.repeat(31);
/** Nobody reacts to one survey; everybody reacts to the other before the next reminder. */
export const surveys = { ignored: `${study}2`, answered: `${study}3` };
/** Each participant has a phone. */
export const setUp = (people: number) => [
  `insert into investigation (id, name, time_zone, starts_on, created_at, active_since, revision_id, created_hash, creator_id)
    values ('${study}1', 'Sleep', 'Europe/Paris', '2027-01-01', ${start}, ${start}, '', '', '')`,
  ...Object.values(surveys).map(
    (
      survey,
    ) => `insert into survey (id, investigation_id, name, items, reminders_since, created_at, revision_id, created_hash)
      values ('${survey}', '${study}1', 'Diary', '[]', ${start}, ${start}, '', '')`,
  ),
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${people - 1})
    insert into user (id, name, created_at) select printf('%04d', i) || substr(lower(hex(randomblob(16))), 1, 28), 'Somebody', 0 from n`,
  `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
    select lower(hex(randomblob(16))), id, 'android', id, id, 'Europe/Paris', 0, 0, 0 from user`,
];

interface Sent {
  user: string;
  device: string;
  survey: string;
  n: number;
}

/** A sent reminder when its delivery to one phone is recorded, with the identifiers that SNS gives. */
export function sentTo({ user, device, n, survey }: Sent, day: number): Notification {
  const dueAt = start + day * 86_400_000;
  const settledAt = dueAt + n * 10;
  const on = new Date(dueAt).toISOString().slice(0, 10);
  const next = {
    counter: day,
    dueAt,
    nextAttemptAt: dueAt,
    timeZone: 'Europe/Paris',
    plannedFrom: '12/3/2026f',
  };
  const delivery = {
    device,
    platform: 'android',
    at: new Date(settledAt).toISOString(),
    messageId: randomUUID(),
  };
  return {
    ...{ userId: user, surveyId: survey, revision: 1, key: on, ...next, attempts: 1, deliveries: [delivery] },
    ...{
      settledAt,
      state: 'sent',
      reason: null,
      followUps: null,
      nextFollowUpAt: null,
      retryAt: null,
      snoozedUntil: null,
    },
    ...(survey === surveys.answered
      ? { shownAt: settledAt + 5, openedAt: settledAt + 6, answeredAt: settledAt + 7, answeredLate: null }
      : { shownAt: null, openedAt: null, answeredAt: null, answeredLate: null }),
    ...{ dismissedAt: null },
  };
}

const nudge = JSON.stringify([
  storedFollowUp({
    ...{ kind: 'nudge', dueAt: '2027-01-01T21:00:00.000Z', at: '2027-01-01T21:00:00.250Z', state: 'sent' },
    attempts: 1,
    deliveries: [
      {
        ...{ device: '7'.repeat(32), platform: 'android', at: '2027-01-01T21:00:00.250Z' },
        messageId: randomUUID(),
      },
    ],
  }),
]);

/** Statements that each add one value to every notification or response, by the name of the value. */
export const additions = (days: number) => ({
  'a receipt or an answer after the next': `update scheduled_notification
    set shown_at = settled_at + 5, opened_at = settled_at + 6, answered_at = settled_at + 7
    where survey_id = '${surveys.ignored}'`,
  'each nudge or snooze of a notification': `update scheduled_notification set follow_ups = '${nudge}' where survey_id = '${surveys.ignored}'`,
  response: `with recursive days(i) as (select 0 union all select i + 1 from days where i < ${days - 1})
    insert into response
    (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
    select ${identifier(at)}, '${study}1', '${study}2', p.id, p.id, ${answers}, '{}', ${at}, ${at}, ${identifier(at)} from ${from}`,
  'each of its revisions': `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`,
  'an entry of the activity log, of a lock': `insert into activity
    (investigation_id, position, id, at, actor_id, action, cases, responses, hash)
    select '${study}1', row_number() over (order by id), ${identifier('created_at')}, created_at, responder_id, 'items.locked',
      '[]', json_array(id), lower(hex(randomblob(32))) from response`,
});
