import { type SQL, sql } from 'drizzle-orm';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { pageBytes } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { dayOf } from '../schedule/days.ts';
import { type Asked, type Asking, askedSurveys } from './filter.ts';
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
const rowBytes = (asked: Asked) => sql`(select max(count(*) * 50,
  ${150 * (dayOf(asked.to) - dayOf(asked.from) + 1)}) from (${askedSurveys(asked)}))`;

/** The columns of a participant of the page. */
export const namesOf = (asked: Asked) => ({
  user: sql<string>`u.id`.as('user'),
  name: sql<string>`u.name`.as('name'),
  code: codeOf(asked.investigation, sql`u.id`).as('member_code'),
  invitedAs: invitedAs(asked.investigation, sql`u.id`).as('invited_as'),
  bytes: sql<number>`${rowBytes(asked)}`.as('bytes'),
});

/** In SQL: the participants `p` of the page, and their users `u`. */
export const usersOf = (context: Asking, asked: Asked, page: ParticipantPage) =>
  sql`(with page as materialized (${pageOf(context, asked, page, mostOf(asked, page.limit))}) select * from page) p
    cross join user u on u.id = p.user`;

/** In SQL: as many participants as a page may have. */
const mostOf = (asked: Asked, limit: number) =>
  sql`(min(${limit + 1}, cast(${pageBytes} / ${rowBytes(asked)} as integer) + 2))`;

type Users = Pick<ParticipantPage, 'user' | 'code' | 'attention' | 'time' | 'after'>;

/** In SQL: the participants of a list, `most` at most. Those who need attention are looked for among the next ones. */
function pageOf(context: Asking, asked: Asked, users: Users, most: SQL): SQL {
  if (!isSearched(users)) return selectParticipants(context, asked, onlyOf(asked, users), most);
  const looked = selectParticipants(context, asked, onlyOf(asked, users), maxLooked(asked));
  return sql`select p.* from (${looked}) p where ${isFound(context, asked, users)} limit ${most}`;
}

const isSearched = ({ attention, time }: Users) => attention !== undefined || time !== undefined;

/** In SQL: participant `p` is one of the list. */
const isFound = (context: Asking, asked: Asked, { attention, time }: Users) =>
  sql`${attention === undefined ? sql`1` : reasonsOf(context, asked)[attention]}
    and ${time === undefined ? sql`1` : sql`${timeState(context.now)} is ${time}`}`;

const onlyOf = ({ investigation }: Asked, { user, code, after }: Users) => ({
  only: code === undefined ? user : userWithCode(investigation, code),
  after,
});

/** The last user who was looked at for a page that is not full, if others may follow. */
export async function endOf(context: Asking, asked: Asked, page: ParticipantPage, found: readonly object[]) {
  if (!isSearched(page) || found.length > page.limit) return undefined;
  const [looked] = await context.db
    .select({ user: sql<string>`user`.as('user') })
    .from(
      sql`(${selectParticipants(context, asked, onlyOf(asked, page), sql`1 offset ${maxLooked(asked)} - 1`)})`,
    );
  return looked?.user;
}

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
