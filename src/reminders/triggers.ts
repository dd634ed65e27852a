import { type SQL, sql } from 'drizzle-orm';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { instantOfTrigger, responseOf, slotOf } from '../schedule/slots.ts';
import type { Trigger } from '../schedule/triggers.ts';
import type { Notification } from './columns.ts';

/**
 * Minutes before the expiry from which responses are looked at: occurrences of an outage of three days are recorded as
 * expired. `at` waits for up to a day, and clocks that go forward for another.
 */
const lookMinutes = 5 * 24 * 60;

/** Responses of one person that one look takes, those given first. */
const maxResponses = 1000;

/** In SQL: a response to survey `source` triggers reminders. In studies without triggers it reads nothing. */
export const triggersSome = (source: SQL): SQL =>
  sql`exists (select 1 from survey triggered where triggered.triggered_by = ${source})`;

/** In SQL: the answers of response `r` fit the trigger of survey `s`. */
const fits = (r: SQL) => sql`not exists (select 1 from json_each(s.plain_reminders, '$.trigger.where') asked
  where not exists (select 1 from json_each(${r}.items) given join json_each(asked.value) fitting
    on fitting.value = given.value where given.key = asked.key))`;

/** In SQL: response `r` of user `u` is there and fits. */
const triggers = (r: SQL) => sql`${r}.responder_id = u.id and ${r}.investigation_id = i.id
  and ${r}.survey_id = s.triggered_by and ${r}.deleted_at is null and ${fits(r)}`;

/** In SQL: a notification that a response triggered is settled, and will not come again. */
const isSettled = sql`settled.settled_at is not null and settled.state <> 'invalidated'
  and settled.response_end is not null`;

/** In SQL: no other response of the person triggered the survey, now or before. */
const isFirst = sql`not exists (select 1 from response earlier where ${triggers(sql`earlier`)}
    and (${givenAt('earlier')}, earlier.id) < (${givenAt('r')}, r.id))
  and not exists (select 1 from scheduled_notification settled where settled.user_id = u.id
    and settled.survey_id = s.id and ${isSettled} and substr(settled.occurrence, 25) <> r.id)`;

/** In SQL: the response has a settled occurrence. The `+` keeps SQLite off the key, by which it would read all of the survey. */
const hasSettled = sql`exists (select 1 from scheduled_notification settled where +settled.user_id = u.id
  and +settled.survey_id = s.id and settled.response_end = substr(r.id, -9) and ${isSettled}
  and substr(settled.occurrence, 25) = r.id)`;

/**
 * In SQL: the responses of user `u` that trigger reminders of survey `s`, with those that have a settled occurrence. It
 * reads what the person gave to the study since then: not before what may still be sent, and the outage that is recorded.
 */
export const triggersOf = (now: SQL): SQL => sql`case when s.triggered_by is not null then
  (select json_group_array(json_array(t.at, t.id, t.settled)) from (
    select ${givenAt('r')} as at, r.id, ${hasSettled} as settled
    from response r where ${triggers(sql`r`)} and ${isGivenSince('r', lookedSince(now))}
      and (s.plain_reminders ->> '$.trigger.each' or ${isFirst})
    order by r.created_at limit ${sql.raw(String(maxResponses))}) t) else '[]' end`;

const lookedSince = (now: SQL) => sql`${now} - 60000 * (s.plain_reminders ->> '$.trigger.after'
  + s.plain_reminders ->> 'expiresAfter' + ${sql.raw(String(lookMinutes))})`;

/** The responses of {@link triggersOf}, in order of time. A pending one that is too old for the look is among them. */
export function readTriggers(text: string, pending: Notification | null, now: number): Trigger[] {
  const found = (JSON.parse(text) as [number, string, number][]).map(
    ([at, response, settled]): Trigger => ({ at, response, settled: settled === 1 }),
  );
  const { trigger } = pending ? slotOf(pending.key) : {};
  if (trigger !== undefined && pending && pending.dueAt < now - lookMinutes * 60_000)
    found.push({ at: instantOfTrigger(trigger), response: responseOf(trigger), settled: false });
  return found.sort((a, b) => a.at - b.at || (a.response < b.response ? -1 : 1));
}
