import { type SQL, sql } from 'drizzle-orm';
import { each } from '../db/json.ts';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { instantOfTrigger, responseOf, slotOf } from '../schedule/slots.ts';
import type { Trigger } from '../schedule/triggers.ts';
import type { Notification } from './notification.ts';
import { cursors } from './schema.ts';
import { type Waking, wakePair } from './wake.ts';

/*
 * A response is judged once, when it is written, by each survey that it triggers: the cursor keeps those that fit, as
 * `{ revision, list: [[at, response, settled]] }`. A list of other reminders, or none, is made anew from the responses.
 */

/**
 * Minutes before the expiry from which responses are looked at: occurrences of an outage of three days are recorded as
 * expired. `at` waits for up to a day, and clocks that go forward for another.
 */
const lookMinutes = 5 * 24 * 60;

/** Responses of one person that a list takes: of reminders of each, or of the first one alone. */
const maxResponses = { each: 1000, first: 20 };

/** In SQL: a response to survey `source` triggers reminders. In studies without triggers it reads nothing. */
export const triggersSome = (source: SQL): SQL =>
  sql`exists (select 1 from survey triggered where triggered.triggered_by = ${source})`;

/** In SQL: the answers of response `r` fit the trigger of survey `s`. SQLite parses them once for all surveys in a row. */
const fits = sql`not exists (select 1 from json_each(s.plain_reminders, '$.trigger.where') asked
  where coalesce(json_extract(r.items, '$."' || asked.key || '"') not in (select value from json_each(asked.value)), 1))`;

/** In SQL: response `r` has a settled notification of survey `s`, and will not come again. */
const hasSettled = sql`exists (select 1 from notification settled where settled.response_id = r.id
  and +settled.user_id = r.responder_id and settled.survey_id = s.id and settled.state not in ('sending', 'invalidated'))`;

const lookedSince = sql`(:now - 60000 * (s.plain_reminders ->> '$.trigger.after'
  + s.plain_reminders ->> 'expiresAfter' + ${lookMinutes}))`;

const madeAnew = (limit: number, which: SQL) =>
  sql`(select json_group_array(json_array(t.at, t.id, t.settled)) from (
    select ${givenAt('r')} as at, r.id, ${hasSettled} as settled
    from response r where r.responder_id = u.id and r.investigation_id = i.id and r.survey_id = s.triggered_by
      and r.deleted_at is null and ${which} and ${fits}
    order by r.created_at limit ${limit}) t)`;

/** In SQL: the responses of user `u` that trigger survey `s` of study `i`, made anew. */
export const triggersOf = sql`case when s.plain_reminders ->> '$.trigger.each'
  then ${madeAnew(maxResponses.each, isGivenSince('r', lookedSince))} else ${madeAnew(maxResponses.first, sql`true`)} end`;

/** In SQL: the same as cursor `c` has it, without responses that were deleted. If one goes that was the first, others may be it. */
export const keptTriggers = sql`case when s.triggered_by is null then '[]'
  when c.triggers ->> '$.revision' = s.reminders_revision and s.plain_reminders ->> '$.trigger.each' then (select json_group_array(json(t.value))
    from json_each(c.triggers, '$.list') t join response r on r.id = t.value ->> 1 and r.deleted_at is null)
  else ${triggersOf} end`;

interface Read {
  pending: Notification | null;
  last: Notification | null;
  /** Each response counts, and not only the first. */
  each: boolean;
  now: number;
}

/** The responses of a list, in order of time. A pending one that is too old for a list made anew is among them. */
export function readTriggers(text: string, { pending, last, each: isEach, now }: Read): Trigger[] {
  const found = (JSON.parse(text) as [number, string, number][]).map(
    ([at, response, settled]): Trigger => ({ at, response, settled: settled === 1 }),
  );
  const { trigger } = pending ? slotOf(pending.key) : {};
  if (trigger !== undefined && pending && pending.dueAt < now - lookMinutes * 60_000) {
    const response = responseOf(trigger);
    if (!found.some((one) => one.response === response))
      found.push({ at: instantOfTrigger(trigger), response, settled: false });
  }
  const inOrder = found.sort((a, b) => a.at - b.at || (a.response < b.response ? -1 : 1));
  if (isEach) return inOrder;
  const first = lastResponse(last) ?? inOrder[0]?.response;
  return inOrder.filter(({ response }) => response === first);
}

const lastResponse = (last: Notification | null): string | undefined => {
  const { trigger } = last ? slotOf(last.key) : {};
  return trigger === undefined ? undefined : responseOf(trigger);
};

/**
 * The list as the cursor keeps it after a slice: those that are still to come, and the last one, whose nudges end if its
 * response goes.
 */
export function keepTriggers(
  triggers: readonly Trigger[],
  {
    revision,
    settled,
    last,
  }: { revision: number; settled: readonly Notification[]; last: Notification | null },
): string {
  const gone = new Set(settled.map(lastResponse));
  const isLast = lastResponse(last);
  const list = triggers.flatMap(({ at, response, settled }) => {
    const isSettled = settled || gone.has(response);
    return !isSettled || response === isLast ? [[at, response, Number(isSettled)]] : [];
  });
  return JSON.stringify({ revision, list });
}

const { triggers: kept } = cursors;

/** In SQL: the list of a cursor after a response `[at, id, settled, fits]` was written. Null: to be made anew. */
const judged = sql`iif(${kept} ->> '$.revision' is null, null, json_set(${kept}, '$.list', json((
  select json_group_array(json(one)) from (
    select value as one from json_each(${kept}, '$.list') where value ->> 1 <> excluded.triggers ->> 1
    union all select json_array(excluded.triggers ->> 0, excluded.triggers ->> 1, excluded.triggers ->> 2) where excluded.triggers ->> 3)))))`;

/** In SQL: the response makes a difference to a cursor: it fits, did so before, or the list is to be made anew. */
const isNews = sql`(excluded.triggers ->> 3 or ${kept} ->> '$.revision' is null
  or exists (select 1 from json_each(${kept}, '$.list') where value ->> 1 = excluded.triggers ->> 1))`;

/** Reminders that responses trigger, or do no more: each response as the batch has written it so far. */
export function wakeTriggered(context: Waking, user: string, responses: readonly string[]) {
  context.woken.add(user);
  const at = givenAt('r');
  return wakePair(
    context,
    {
      triggers: sql`json_array(${at}, r.id, ${hasSettled}, r.deleted_at is null and ${fits})`,
      user: sql`r.responder_id`,
      survey: sql`s.id`,
      from: sql`${each(responses)} w join response r on r.id = w.value
        join survey s on s.triggered_by = r.survey_id and s.investigation_id = r.investigation_id`,
    },
    { triggers: judged },
    isNews,
  );
}
