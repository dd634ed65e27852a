import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { type Revision, readItemChanges, readRevisions } from '../log/item-revisions.ts';
import { pageBytes } from '../permissions/limits.ts';
import { staff } from '../permissions/roles.ts';
import { asReader, maySeeSurvey, requireStaff, selectRole } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';

/** An item of a survey, for as long as its definition was the same. */
export interface CodebookRow {
  surveyCreatedAt: number;
  survey: string;
  surveyName: string;
  /** The revision with which it began, and its place there. */
  since: number;
  place: number;
  /** Null: the items of the survey were too long for the log. */
  item: SurveyItem | null;
  /** Epoch ms. */
  from: number;
  /** Null: until now. */
  to: number | null;
  bytes: number;
}

export type CodebookKey = readonly [surveyCreatedAt: number, survey: string, since: number, place: number];

interface SurveyRow {
  id: string;
  name: string;
  createdAt: number;
}

/** A revision of a survey, and when it began. */
interface Dated extends Revision {
  of: SurveyRow;
  from: number;
}

const surveysFrom =
  textOf(sql`select survey.id, survey.name, survey.created_at as createdAt from ${members} cross join survey
  where ${asReader(named('investigation'), named('actor'), staff)} and survey.investigation_id = :investigation
  and (survey.created_at, survey.id) >= (:createdAt, :id) and ${maySeeSurvey} order by survey.created_at, survey.id`);

/** Surveys whose revisions are listed at once. */
const surveysAtOnce = 50;

/**
 * A page of the items that the surveys of a study have had, by survey, time and place, with one extra row if more follow.
 * Revisions are read until the end of each row of the page is known, about a megabyte at a time.
 * @throws resource.not-found, action.forbidden
 */
export async function listCodebook(
  context: Context,
  investigation: string,
  { after, limit }: { after: CodebookKey | undefined; limit: number },
): Promise<CodebookRow[]> {
  const { db, actor } = context;
  const [createdAt, id] = after ?? [-1, ''];
  const [[me], surveys] = await db.batch([
    selectRole(db, investigation, actor),
    query<SurveyRow>(db, surveysFrom, { investigation, actor, createdAt, id }),
  ]);
  requireStaff(me, 'read codebooks');
  const page = createPage(after, limit);
  for (let n = 0; n < surveys.length && !page.isFull(); n += surveysAtOnce) {
    const next = surveys.slice(n, n + surveysAtOnce);
    const revisions = await readDates(context, investigation, next);
    for await (const [revision, items] of readRevisions(context, investigation, page.needs(revisions))) {
      if (page.isComplete(revision)) break;
      page.add(revision, items);
    }
  }
  return page.rows;
}

async function readDates(context: Context, investigation: string, surveys: SurveyRow[]): Promise<Dated[]> {
  const changes = await readItemChanges(
    context,
    investigation,
    surveys.map(({ id }) => id),
  );
  return surveys.flatMap((of) => [
    { of, survey: of.id, since: 0, from: of.createdAt },
    ...(changes.get(of.id) ?? []).map(({ position, at }) => ({
      of,
      survey: of.id,
      since: position,
      from: at,
    })),
  ]);
}

/** The key of what is not known, which no item has. */
const unknown = '';

/** Collects rows, and closes each when its item changes. */
function createPage(after: CodebookKey | undefined, limit: number) {
  const rows: CodebookRow[] = [];
  const open = new Map<string, { row: CodebookRow; definition: string }>();
  let bytes = 0;
  let survey: string | undefined;
  let before = new Map<string, string>();

  const isFull = () => rows.length > limit || bytes > pageBytes;

  /** The rows of an earlier page. */
  const isEarlier = ({ survey, since }: Revision, place: number) =>
    after !== undefined &&
    survey === after[1] &&
    (since < after[2] || (since === after[2] && place <= after[3]));

  function begin(revision: Dated, place: number, item: SurveyItem | null, definition: string) {
    const { of, since, from } = revision;
    const row: CodebookRow = {
      surveyCreatedAt: of.createdAt,
      survey: of.id,
      surveyName: of.name,
      since,
      place,
      item,
      from,
      to: null,
      bytes: definition.length + of.name.length + rowCharacters,
    };
    rows.push(row);
    bytes += row.bytes;
    open.set(item?.identifier ?? unknown, { row, definition });
  }

  return {
    rows,
    isFull,
    /** The revisions to read: of the survey in which the page before ended, from the one before that. */
    needs(revisions: Dated[]): Dated[] {
      if (after === undefined || revisions[0]?.survey !== after[1]) return revisions;
      return revisions.slice(Math.max(0, revisions.findLastIndex(isBefore(after)) - 1));
    },
    /** Nothing that follows belongs to the page, nor ends one of its rows. */
    isComplete: (next: Dated) => isFull() && (open.size === 0 || next.survey !== survey),
    add(revision: Dated, items: SurveyItem[] | null) {
      if (revision.survey !== survey) {
        survey = revision.survey;
        before = new Map();
        open.clear();
      }
      const definitions = new Map<string, string>();
      for (const item of items ?? [null]) definitions.set(item?.identifier ?? unknown, definitionOf(item));
      for (const [item, { row, definition }] of open)
        if (definitions.get(item) !== definition) {
          row.to = revision.from;
          open.delete(item);
        }
      for (const [place, item] of (items ?? [null]).entries()) {
        const key = item?.identifier ?? unknown;
        const definition = definitions.get(key) ?? '';
        if (before.get(key) === definition || isEarlier(revision, place)) continue;
        if (isFull()) break;
        begin(revision, place, item, definition);
      }
      before = definitions;
    },
  };
}

/** The same text for items that are shown alike. */
function definitionOf(item: SurveyItem | null): string {
  const { required = false, ...rule } = item?.answer ?? {};
  return JSON.stringify([item?.label, required, rule]);
}

/** Characters of a row beside its definition. */
const rowCharacters = 250;

const isBefore =
  ([, survey, since]: CodebookKey) =>
  (revision: Revision) =>
    revision.survey === survey && revision.since <= since;
