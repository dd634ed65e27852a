import { sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { knownTo, requireKnownFilter } from '../permissions/declared-properties.ts';
import { fits, type Property, type PropertyRule } from '../permissions/groups.ts';
import { pageBytes } from '../permissions/limits.ts';
import { asMember, type Me, maySeeSurvey, requireStaff } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { type AnswerKind, type SurveyItem, surveys } from '../studies/survey-schema.ts';
import { statesOf } from './lists.ts';
import { type Answers, itemStateIn } from './schema.ts';

/** Responses that are looked at, and bytes of their answers. */
const most = { responses: 10_000, bytes: 20_000_000 };

/** Responses that are read at once. */
const sliceRows = 1_000;

interface CountedRow {
  id: string;
  createdAt: number;
  /** Null: the reader does not see it. */
  items: Answers | null;
  bytes: number;
}

interface VisibleSurvey extends Me {
  investigationId: string;
  items: SurveyItem[];
  /** Null without a filter. */
  declared: readonly Property[] | null;
}

const declared = `(select i.course -> '$.properties' from investigation i where i.id = survey.investigation_id)`;

const visibleSurvey = (isFiltered: boolean) =>
  textOf(sql`select survey.investigation_id as investigationId, survey.items, ${members.role}, ${members.scope},
    ${sql.raw(isFiltered ? declared : 'null')} as declared
  from survey join ${members} on ${asMember(surveys.investigationId, named('actor'))}
  where survey.id = :survey and ${maySeeSurvey}`);
const [plainSurvey, filteredSurvey] = [visibleSurvey(false), visibleSurvey(true)];

/** The newest responses before a place, of every state but deleted, which SQLite merges while reading. */
const newest = (columns: string, limit: string) =>
  statesOf.all
    .map(
      (state) => `select r.id as id, r.created_at as createdAt, ${columns} from response r
        where r.survey_id = :survey and ${itemStateIn('r.')} = ${state} and (r.created_at, r.id) < (:createdAt, :id)`,
    )
    .join(' union all ')
    .concat(` order by createdAt desc, id desc limit ${limit}`);

const bytes = 'octet_length(r.items)';

/** As many as fit a page, at least one. They are measured only if the study has a response so long that a page might not hold them. */
const rowsOfPage = `case when (select largest_response from investigation where id = :investigation) * :rows <= ${pageBytes} then :rows
    else max(1, (select count(*) from (select sum(bytes) over (order by createdAt desc, id desc) as total
      from (${newest(`${bytes} as bytes`, ':rows')})) where total <= ${pageBytes})) end`;
const responsesBefore = newest(`${bytes} as bytes, r.items as items`, rowsOfPage);

/** In SQL: the response is in the reader's part of the study, and has the properties of the filter. */
const isShown = `exists (select 1 from (select 1) left join study_case c on c.id = r.case_id where ${textOf(
  sql`${fits(named('scope'), sql`c.properties`)} and ${fits(named('properties'), sql`c.properties`)}`,
)})`;

/** The same responses; those that are not shown are without answers. */
const somePartBefore = newest(
  `iif(${isShown}, ${bytes}, 0) as bytes, iif(${isShown}, r.items, null) as items`,
  rowsOfPage,
);

/**
 * How many responses to a survey have each value of its items that have options or yes and no, by the newest ones; of those in the
 * actor's part of the study.
 * @param properties counts only responses with these
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function countAnswers({ db, actor }: Context, survey: string, properties?: PropertyRule) {
  const text = properties ? filteredSurvey : plainSurvey;
  const decoders = { items: JSON.parse, scope: JSON.parse, declared: JSON.parse };
  const [row] = await query<VisibleSurvey>(db, text, { survey, actor }, decoders);
  requireStaff(row, 'count answers', 'survey');
  requireKnownFilter(properties, knownTo(row.role, row.declared));
  const { investigationId, scope } = row;
  const before = scope || properties ? somePartBefore : responsesBefore;
  const rules = {
    scope: scope && JSON.stringify(scope),
    properties: properties ? JSON.stringify(properties) : null,
  };
  const counts = createCounts(row.items);
  let [looked, responses, bytes] = [0, 0, 0];
  for (let place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }; ; await breathe()) {
    const rows = Math.min(sliceRows, most.responses - looked + 1);
    const values = { investigation: investigationId, survey, ...rules, ...place, rows };
    const slice = await query<CountedRow>(db, before, values, { items: JSON.parse });
    for (const { createdAt, id, ...response } of slice) {
      if (looked === most.responses || bytes > most.bytes)
        return { investigationId, responses, items: counts.items(), isComplete: false };
      looked += 1;
      bytes += response.bytes;
      place = { createdAt, id };
      if (response.items === null) continue;
      counts.add(response.items);
      responses += 1;
    }
    if (slice.length === 0) return { investigationId, responses, items: counts.items(), isComplete: true };
  }
}

/** Counts answers by the values that the items of a survey have now. */
function createCounts(surveyItems: readonly SurveyItem[]) {
  const counted = new Map(
    surveyItems.flatMap(({ identifier, answer }) => {
      const values = valuesOf(answer);
      const isList = answer?.kind === 'choices';
      return values ? [[identifier, { values, isList, counts: new Map<string, number>() }] as const] : [];
    }),
  );
  return {
    add(answers: Answers) {
      for (const [item, answer] of Object.entries(answers)) {
        const known = counted.get(item);
        if (!known) continue;
        const { values, isList, counts } = known;
        for (const value of isList ? new Set(answer.split(' ')) : [answer])
          if (values.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    },
    items: () =>
      Object.fromEntries([...counted].map(([item, { counts }]) => [item, Object.fromEntries(counts)])),
  };
}

/** The values of an item with options, or yes and no. */
function valuesOf(rule: AnswerKind | undefined): ReadonlySet<string> | undefined {
  if (rule?.kind === 'yes-no') return new Set(['yes', 'no']);
  if (!rule || !('options' in rule) || !rule.options) return undefined;
  if (rule.kind !== 'scale') return new Set(rule.options.map(({ value }) => value));
  return new Set(Array.from({ length: rule.max - rule.min + 1 }, (_, n) => String(rule.min + n)));
}
