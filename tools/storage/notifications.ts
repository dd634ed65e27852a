import { randomUUID } from 'node:crypto';
import { occurrenceIdentifier } from '../../src/identifiers.ts';
import type { OpenDatabase } from '../../src/platform/server/open-sqlite.ts';
import { iso, type Notification, toPushes } from '../../src/reminders/notification.ts';
import { settle } from '../../src/reminders/settle.ts';
import { start, surveys } from './people.ts';

interface Sent {
  user: string;
  device: string;
  survey: string;
  n: number;
}

/** The record of a sent reminder, with the identifiers that SNS gives. */
export function sentTo({ user, device, n, survey }: Sent, day: number): object {
  const dueAt = start + day * 86_400_000;
  const settledAt = dueAt + n * 10;
  const key = iso(dueAt).slice(0, 10);
  const delivery = { device, platform: 'android', at: iso(settledAt), messageId: randomUUID() };
  const pushes = toPushes({
    attempts: 1,
    deliveries: [delivery],
    followUps: [],
    nextAttemptAt: dueAt,
  } as unknown as Notification);
  return {
    ...{
      userId: user,
      dueAt,
      id: occurrenceIdentifier(user, survey, 1, key),
      surveyId: survey,
      revision: 1,
      key,
      counter: day,
    },
    ...{ timeZone: 'Europe/Paris', settledAt, state: 'sent', reason: null, pushes },
    answeredAt: survey === surveys.answered ? settledAt + 7 : null,
  };
}

const nudge = JSON.stringify({
  ...{ kind: 'nudge', dueAt: '2027-01-01T21:00:00.000Z', at: '2027-01-01T21:00:00.250Z', state: 'sent' },
  attempts: 1,
  deliveries: [
    {
      ...{ device: '7'.repeat(32), platform: 'android', at: '2027-01-01T21:00:00.250Z' },
      messageId: randomUUID(),
    },
  ],
});

const receipts = (survey: string) =>
  `update notification set shown_at = settled_at + 5, opened_at = settled_at + 6 where survey_id = '${survey}'`;

/** Statements that each add one value to every notification of a survey. */
export const notificationAdditions = {
  'a receipt or an answer after the next': `update notification
    set shown_at = settled_at + 5, opened_at = settled_at + 6, answered_at = settled_at + 7
    where survey_id = '${surveys.ignored}'`,
  'each nudge or snooze of a notification': `update notification set pushes = json_insert(pushes, '$[#]', json('${nudge}'))
    where survey_id = '${surveys.ignored}'`,
};

/** Writes notifications of one day as the service does. */
export async function writeSent(
  { db, client, now }: Pick<OpenDatabase, 'db' | 'client'> & { now: number },
  survey: string,
  sent: object[],
) {
  await settle({ db, now }, { notifications: sent, late: [], again: [], left: [], cursors: [], gone: [] });
  if (survey === surveys.answered) await client.execute(`${receipts(survey)} and shown_at is null`);
}

/** SQLite's bytes of each column, on average; a row has a byte more for each, and the rest is its page's. */
export async function columnBytes(client: OpenDatabase['client']): Promise<Record<string, number>> {
  const columns = await client.query("select name from pragma_table_info('notification')");
  const bytesOf = ({ name }: Record<string, unknown>) => `round(avg(case
    when ${name} is null or ${name} in (0, 1) then 0 when typeof(${name}) = 'text' then octet_length(${name})
    when ${name} < 128 then 1 when ${name} < 32768 then 2 when ${name} < 2147483648 then 4 else 6 end), 1) as ${name}`;
  const [row] = await client.query(`select ${columns.map(bytesOf).join(', ')} from notification`);
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, bytes]) => [name, Number(bytes)]));
}
