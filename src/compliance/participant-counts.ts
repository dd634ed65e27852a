import { type SQL, sql } from 'drizzle-orm';
import { dayMs, dayOf } from '../schedule/days.ts';
import { answeredBefore, countedOutcomes, outcomeLetters } from './counts.ts';
import { type Asked, type Asking, askedSurveys } from './filter.ts';

/**
 * Notifications of a date are due from so many days before it to so many after it, by UTC, wherever it is. Occurrences of
 * responses that come late have the date of the newest settled one: they are looked for through an outage of five days.
 */
const daysAround = { before: 9, after: 2 };

/** The due times (epoch ms) of the notifications of some dates, both included. */
export const dueTimesOf = ({ from, to }: { from: string; to: string }) => ({
  since: (dayOf(from) - daysAround.before) * dayMs,
  until: (dayOf(to) + daysAround.after) * dayMs,
});

/** In SQL: the counted notifications of the user `u` in the period, and the counts of purged ones: each once. */
const countedOf = (context: Asking, { from, to, ...asked }: Asked, columns: SQL, end = sql``): SQL => {
  const { since, until } = dueTimesOf({ from, to });
  const month = (date: string) => date.slice(0, 7);
  return sql`with asked(survey) as materialized (${askedSurveys(context, asked)})
    select ${columns} from (
      select n.outcome, n.shown_at is not null as shown, n.opened_at is not null as opened,
        n.answered_at is not null as answered, n.answered_late is not null as late, substr(n.occurrence, 1, 10) as date
      from notification n where n.user_id = u.id and n.due_at between ${since} and ${until} and n.outcome is not null
        and n.survey_id in (select survey from asked) and substr(n.occurrence, 1, 10) between ${from} and ${to}
      union all
      select j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5, j.value ->> 0
      from asked q cross join participant_compliance c
        on c.user_id = u.id and c.survey_id = q.survey and c.month between ${month(from)} and ${month(to)}
        cross join json_each(c.counts) j where j.value ->> 0 between ${from} and ${to}) ${end}`;
};

const wasAnsweredBefore = sql.raw(`outcome = '${answeredBefore}'`);
const answeredSum = sql`sum(answered or ${wasAnsweredBefore})`;
const answeredLateSum = sql`sum(late and not ${wasAnsweredBefore})`;

/**
 * In SQL: the counts of the user `u`, for `countsIn`. With `group by` SQLite would sort the rows and read them again, and a
 * sum for each outcome took as long as all else.
 */
export const countsOf = (context: Asking, asked: Asked): SQL =>
  sql`(${countedOf(
    context,
    asked,
    sql`json_array(sum(shown), sum(opened), ${answeredSum}, ${answeredLateSum}, group_concat(${letter}, ''))`,
  )})`;

const letter = sql.raw(
  `case outcome ${countedOutcomes.map((outcome, n) => `when '${outcome}' then '${outcomeLetters[n]}'`).join(' ')} else '-' end`,
);

/** The counts of a participant on a date, in the order in which {@link daysOf} counts. */
export const dayCounts = ['due', 'sent', 'failed', 'opened', 'answered', 'answeredLate'] as const;

/** In SQL: for each date with a due reminder of the user `u` an array of the date and the counts of {@link dayCounts}. */
export const daysOf = (context: Asking, asked: Asked): SQL =>
  sql`(select json_group_array(json(day)) from (${countedOf(
    context,
    asked,
    sql`json_array(date, count(*), sum(outcome = 'sent'), sum(outcome = 'failed'), sum(opened),
      ${answeredSum}, ${answeredLateSum}) as day`,
    sql`group by date`,
  )}))`;
