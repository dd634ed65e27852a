import { sql } from 'drizzle-orm';
import { query } from '../db/query.ts';
import { selectItems } from '../items/response-list.ts';
import type { Answers } from '../items/schema.ts';
import { countInSlices } from '../log/recorded-downloads.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import { check, requireMember, selectAsked } from './compliance.ts';
import type { Asking } from './filter.ts';
import {
  behindAll,
  isMemberOf,
  type OccurrenceFilter,
  type OccurrenceKey,
  statementsOf,
  valuesOf,
} from './occurrence-pages.ts';

type OccurrencePage = OccurrenceFilter & {
  after?: OccurrenceKey | undefined;
  limit: number;
  /** Reads the identifiers of the survey's items, too. */
  withItems?: boolean;
  /** Reads the properties that the study declares, too. */
  withDeclared?: boolean;
};

/** A settled occurrence with its answer. */
export interface Occurrence {
  id: string;
  user: string;
  code: string | null;
  /** As the reader sees them. */
  properties: Record<string, string> | null;
  survey: string;
  /** In the form of `occurrenceKey`. */
  key: string;
  counter: number;
  revision: number;
  timeZone: string;
  dueAt: number;
  settledAt: number | null;
  shownAt: number | null;
  openedAt: number | null;
  answeredAt: number | null;
  isLate: number;
  state: 'sent' | 'skipped' | 'failed';
  reason: string | null;
  /** The nudges that were sent. */
  nudges: number;
  /** The first response that belongs to it. */
  response: string | null;
  /** Of that response, in a list of one survey; `givenAt` and `revisedAt` are its times. */
  items: Answers | null;
  givenAt: number | null;
  revisedAt: number | null;
  /** 1: that response was edited. */
  isEdited: number | null;
  bytes: number;
}

export const keyOfOccurrence = ({
  user,
  dueAt,
  id,
}: Pick<Occurrence, 'user' | 'dueAt' | 'id'>): OccurrenceKey => [user, dueAt, id];

/** `isUnseen`: the end is of somebody whom the actor does not see. */
type Row = Occurrence & { isEnd: number; isUnseen: number };

/**
 * The settled occurrences of a study's participants, by user, due time and identifier, with one extra row if more remain; or
 * fewer, if the search goes on behind `end`. Of one survey with its answers. One round trip.
 * @throws request.invalid, resource.not-found, action.forbidden
 */
export async function listOccurrences(context: Asking, study: string, page: OccurrencePage) {
  const { db, actor } = context;
  const { survey, user, property, withItems = false, withDeclared = false } = page;
  const asked = { investigation: study, survey, property };
  const values = { ...valuesOf(context, study, page, page.after), limit: page.limit + 1 };
  const decoders = { items: JSON.parse, properties: JSON.parse };
  const [[me], [found], [member], rows, ...items] = await db.batch([
    ...selectAsked(context, asked, { withDeclared }),
    db.select({ isMember: isMemberOf(context, study, user ?? '').as('is_member') }).from(sql`(select 1)`),
    query<Row>(db, statementsOf(page).page, values, decoders),
    ...(withItems ? [selectItems(db, study, actor, { survey, maxItems: undefined })] : []),
  ]);
  const { known } = check(me, found, asked);
  requireMember({ user }, member?.isMember ? member : undefined);
  const listed = rows.filter(({ isEnd }) => !isEnd);
  return {
    rows: listed,
    end: endOf(
      rows.find(({ isEnd }) => isEnd),
      listed.at(-1),
    ),
    items: items.flat().map(({ item }) => item),
    known,
  };
}

/** The place of the last row that was looked at, behind the last one of the page. */
function endOf(end: Row | undefined, last: Row | undefined): OccurrenceKey | undefined {
  if (!end) return undefined;
  const user = end.isUnseen ? hiddenPlace(end.user, last?.user) : end.user;
  if (end.isUnseen && last?.user === user) return keyOfOccurrence(last);
  return [user, end.dueAt ?? behindAll, end.id ?? ''];
}

/** The number of occurrences that a filter finds, whatever their pages. */
export const countOccurrences = (context: Asking, study: string, filter: OccurrenceFilter) =>
  countInSlices<OccurrenceKey>(async (after) => {
    const [slice] = await query<{ n: number; found: number; last: string | null }>(
      context.db,
      statementsOf(filter).count,
      valuesOf(context, study, filter, after),
    );
    const { n = 0, found = 0, last } = slice ?? {};
    return { n, found, last: keyIn(last ?? '') };
  });

const [userCharacters, digits] = [32, 15];
const keyIn = (text: string): OccurrenceKey => [
  text.slice(0, userCharacters),
  Number(text.slice(userCharacters, userCharacters + digits)),
  text.slice(userCharacters + digits),
];
