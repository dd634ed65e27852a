import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';
import { sliceRows } from './recorded-downloads.ts';
import { changesItems, surveyOfEntry } from './schema.ts';

/** The items of a survey as a change left them. */
export interface Revision {
  survey: string;
  /** The position of the entry that changed them; 0: the survey was created with them. */
  since: number;
}

/** An entry of the log that changed the items of a survey, and when it did (epoch ms). */
export interface ItemChange {
  position: number;
  at: number;
}

type Reading = Pick<Context, 'db'>;

const itemChangesOf = (survey: string) =>
  `activity a indexed by activity_of_survey where a.investigation_id = :investigation and ${surveyOfEntry} = ${survey} and ${changesItems}`;

const itemChanges = `select asked.value as survey, a.position, a.at from json_each(:surveys) asked
  cross join ${itemChangesOf('asked.value')} and a.position > iif(asked.key = 0, :after, 0)
  order by asked.key, a.position limit ${sliceRows}`;

/** The changes of the items of each of these surveys, in order. */
export async function readItemChanges({ db }: Reading, investigation: string, surveys: readonly string[]) {
  const changes = new Map(surveys.map((survey): [string, ItemChange[]] => [survey, []]));
  let rest = surveys;
  for (let after = 0; rest.length > 0; await breathe()) {
    const values = { investigation, surveys: JSON.stringify(rest), after };
    const rows = await query<ItemChange & { survey: string }>(db, itemChanges, values);
    for (const { survey, position, at } of rows) changes.get(survey)?.push({ position, at });
    const last = rows.at(-1);
    if (!last || rows.length < sliceRows) break;
    rest = rest.slice(rest.indexOf(last.survey));
    after = last.position;
  }
  return changes;
}

/** Bytes of entries that one statement reads. */
const sliceBytes = 250_000;

/**
 * The items of each revision: what the next change has as those before it, else those of now. So a survey that changes
 * between two reads does not matter. Their length is measured without reading them.
 */
const itemsOfRevisions = `with asked as (
    select key as n, value ->> '$[0]' as survey_id, value ->> '$[1]' as since from json_each(:revisions)),
  ended as materialized (
    select n, survey_id, (select a.position from ${itemChangesOf('asked.survey_id')} and a.position > asked.since
      order by a.position limit 1) as ended_in from asked),
  measured as (
    select n, survey_id, ended_in, sum(bytes) over (order by n) as total from (
      select n, survey_id, ended_in, coalesce(
        (select octet_length(e.details) from activity e where e.investigation_id = :investigation and e.position = ended_in),
        (select octet_length(s.items) from survey s where s.id = survey_id), 0) as bytes from ended))
  select case when ended_in is null
      then (select s.items from survey s where s.id = survey_id and s.investigation_id = :investigation)
      else (select e.details -> '$.before.items' from activity e where e.investigation_id = :investigation and e.position = ended_in)
    end as items
  from measured where n = 0 or total <= ${sliceBytes} order by n`;

/** The most revisions that one statement reads. */
const mostRevisions = 100;

/**
 * The items of revisions, one after another; null: they were too long for the log. At most `sliceBytes` of them are held, or
 * one, and others have a turn before more is read.
 */
export async function* readRevisions<R extends Revision>(
  { db }: Reading,
  investigation: string,
  revisions: readonly R[],
): AsyncGenerator<[R, SurveyItem[] | null]> {
  for (let done = 0; done < revisions.length; ) {
    const slice = revisions.slice(done, done + mostRevisions);
    const values = { investigation, revisions: JSON.stringify(slice.map((one) => [one.survey, one.since])) };
    const rows = await query<{ items: string | null }>(db, itemsOfRevisions, values);
    for (const [n, { items }] of rows.entries()) {
      if (n > 0) await breathe();
      yield [slice[n] as R, itemsIn(items)];
    }
    done += rows.length;
    if (done < revisions.length) await breathe();
  }
}

/** Longer ones are in the log by their length and digest. */
function itemsIn(text: string | null): SurveyItem[] | null {
  const items: unknown = text === null ? null : JSON.parse(text);
  return Array.isArray(items) ? items : null;
}
