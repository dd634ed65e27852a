import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { pageBytes } from '../permissions/limits.ts';
import type { Role } from '../permissions/roles.ts';
import { requireStaff } from '../permissions/visibility.ts';
import type { AnswerKind, SurveyItem } from '../studies/survey-schema.ts';
import { statesOf } from './lists.ts';
import { type Answers, itemStateIn } from './schema.ts';

/** Responses that are looked at, and bytes of their answers. */
const most = { responses: 10_000, bytes: 20_000_000 };

/** Responses that are read at once. */
const sliceRows = 1_000;

interface CountedRow {
  id: string;
  createdAt: number;
  items: Answers;
  bytes: number;
}

interface VisibleSurvey {
  investigationId: string;
  items: SurveyItem[];
  role: Role;
}

const visibleSurvey = `select s.investigation_id as investigationId, s.items, m.role from survey s
  join current_member m on m.investigation_id = s.investigation_id and m.user_id = :actor where s.id = :survey`;

/** The newest responses before a place, of every state but deleted, which SQLite merges while reading. */
const newest = (columns: string, limit: string) =>
  statesOf.all
    .map(
      (state) => `select r.id as id, r.created_at as createdAt, ${columns} from response r
        where r.survey_id = :survey and ${itemStateIn('r.')} = ${state} and (r.created_at, r.id) < (:createdAt, :id)`,
    )
    .join(' union all ')
    .concat(` order by createdAt desc, id desc limit ${limit}`);

const bytes = 'octet_length(r.items) as bytes';

/** As many as fit a page, at least one. They are measured only if the study has a response so long that a page might not hold them. */
const responsesBefore = newest(
  `${bytes}, r.items as items`,
  `case when (select largest_response from investigation where id = :investigation) * :rows <= ${pageBytes} then :rows
    else max(1, (select count(*) from (select sum(bytes) over (order by createdAt desc, id desc) as total
      from (${newest(bytes, ':rows')})) where total <= ${pageBytes})) end`,
);

/**
 * How many responses to a survey have each value of its items that have options or yes and no, by the newest ones.
 * @throws resource.not-found, action.forbidden
 */
export async function countAnswers({ db, actor }: Context, survey: string) {
  const [row] = await query<VisibleSurvey>(db, visibleSurvey, { survey, actor }, { items: JSON.parse });
  requireStaff(row, 'count answers', 'survey');
  const { investigationId } = row;
  const counts = createCounts(row.items);
  let [responses, bytes] = [0, 0];
  for (let place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }; ; await breathe()) {
    const rows = Math.min(sliceRows, most.responses - responses + 1);
    const values = { investigation: investigationId, survey, ...place, rows };
    const slice = await query<CountedRow>(db, responsesBefore, values, { items: JSON.parse });
    for (const { createdAt, id, ...response } of slice) {
      if (responses === most.responses || bytes > most.bytes)
        return { investigationId, responses, items: counts.items(), isComplete: false };
      counts.add(response.items);
      responses += 1;
      bytes += response.bytes;
      place = { createdAt, id };
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
