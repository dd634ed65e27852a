import { type SQL, sql } from 'drizzle-orm';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { fits, shownProperties } from '../permissions/groups.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import { pageBytes } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { dayOf } from '../schedule/days.ts';
import { type Asked, type Asking, askedSurveys, isAskedPerson, isPart, myRole, myScope } from './filter.ts';
import {
  type AttentionReason,
  invitedAs,
  maxLooked,
  reasonsOf,
  selectParticipants,
  type TimeState,
  timeState,
} from './reasons.ts';

export interface ParticipantPage {
  /** Only this member, if they take part. */
  user?: string | undefined;
  /** Only the member with this code. */
  code?: string | undefined;
  attention?: AttentionReason | undefined;
  /** Only those before, in or after their time. */
  time?: TimeState | undefined;
  /** The last user of the previous page. */
  after?: string | undefined;
  limit: number;
}

/** In SQL: rows of a page weigh by the surveys and the dates that each of them sums up: a year of 100 people took 0.3 s. */
const rowBytes = (context: Asking, asked: Asked) => sql`(select max(count(*) * 50,
  ${150 * (dayOf(asked.to) - dayOf(asked.from) + 1)}) from (${askedSurveys(context, asked)}))`;

/** The columns of a participant of the page. */
export const namesOf = (context: Asking, asked: Asked) => ({
  user: sql<string>`u.id`.as('user'),
  name: sql<string>`u.name`.as('name'),
  code: codeOf(asked.investigation, sql`u.id`).as('member_code'),
  invitedAs: invitedAs(asked.investigation, sql`u.id`).as('invited_as'),
  properties: sql<string | null>`${shownProperties(
    sql`p.properties`,
    myRole(context, asked),
    asked.investigation,
  )}`.as('shown_properties'),
  bytes: sql<number>`${rowBytes(context, asked)}`.as('bytes'),
  /** 1: no participant of the page, but the last who was looked at for a page that is not full, if others may follow. */
  isEnd: sql<number>`p.is_end`.as('is_end'),
  /** 1: that is somebody whom the actor does not see. */
  isUnseen: sql<number>`p.is_end and not ${fits(myScope(context, asked), sql`p.properties`)}`.as('is_unseen'),
});

/** In SQL: the participants `p` of the page, and the end of the search, and their users `u`. */
export const usersOf = (context: Asking, asked: Asked, page: ParticipantPage) =>
  sql`(with page as materialized (${pageOf(context, asked, page, mostOf(context, asked, page.limit))}) select * from page) p
    cross join user u on u.id = p.user`;

/** The participants of a page, and the place at which the search ended: of somebody whom the actor does not see a hidden one. */
export function cutEnd<Row extends { user: string; isEnd: number; isUnseen: number }>(found: readonly Row[]) {
  const rows = found.filter(({ isEnd }) => !isEnd);
  const end = found.find(({ isEnd }) => isEnd);
  const last = rows
    .map(({ user }) => user)
    .sort()
    .at(-1);
  return { rows, end: end?.isUnseen ? hiddenPlace(end.user, last) : end?.user };
}

/** In SQL: as many participants as a page may have. */
const mostOf = (context: Asking, asked: Asked, limit: number) =>
  sql`(min(${limit + 1}, cast(${pageBytes} / ${rowBytes(context, asked)} as integer) + 2))`;

/** Participants that are looked at for a page of a part of the study: of those who see it all none is looked at in vain. */
const maxListed = sql.raw('5000');

type Users = Pick<ParticipantPage, 'user' | 'code' | 'attention' | 'time' | 'after'>;

/**
 * In SQL: the participants of a list, looked for among the next ones; and behind them the last one of those, unless all have
 * been looked at. `most` at most: the end of a full page is not read.
 */
function pageOf(context: Asking, asked: Asked, users: Users, most: SQL): SQL {
  const max = isSearched(users) ? maxLooked(context, asked) : maxListed;
  const looked = (limit: SQL) => selectParticipants(context, asked, onlyOf(asked, users), limit);
  const ends = isSearched(users) ? sql`1` : sql`iif(${isPart(context, asked)}, 1, 0)`;
  return sql`select * from (
      select p.*, 0 as is_end from (${looked(max)}) p where ${isFound(context, asked, users)})
    union all select * from (select p.*, 1 from (${looked(sql`${ends} offset ${max} - 1`)}) p) limit ${most}`;
}

const isSearched = ({ attention, time }: Users) => attention !== undefined || time !== undefined;

/** In SQL: participant `p` is one of the list. */
const isFound = (context: Asking, asked: Asked, { attention, time }: Users) =>
  sql`iif(${isAskedPerson(context, asked, sql`p.properties`)},
    ${attention === undefined ? sql`1` : reasonsOf(context, asked)[attention]}
    and ${time === undefined ? sql`1` : sql`${timeState(context.now)} is ${time}`}, 0)`;

const onlyOf = ({ investigation }: Asked, { user, code, after }: Users) => ({
  only: code === undefined ? user : userWithCode(investigation, code),
  after,
});

/** The number of participants whom a filter finds, whatever their pages. */
export const countParticipants = (context: Asking, asked: Asked, users: Users) =>
  countInSlices<string>(async (after) => {
    const some = selectParticipants(
      context,
      asked,
      onlyOf(asked, { ...users, after }),
      sql.raw(String(sliceRows)),
    );
    const [slice] = await context.db
      .select({
        n: sql<number>`count(*)`.as('n'),
        found: sql<number>`coalesce(sum(${isFound(context, asked, users)}), 0)`.as('found'),
        last: sql<string>`max(user)`.as('last'),
      })
      .from(sql`(${some}) p`);
    return slice ?? { n: 0, last: '' };
  });
