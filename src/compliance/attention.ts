import { type SQL, sql } from 'drizzle-orm';
import { codeOf } from '../access/codes.ts';
import { selectRole, whenMember } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import { shownTo } from '../studies/members.ts';
import {
  type AttentionReason,
  attentionReasons,
  invitedAs,
  isPaused,
  requireStaff,
  silentAfter,
  takesPart,
} from './compliance.ts';
import { memberAttention } from './schema.ts';

/** The number of members with a reason for attention, and the first of them by identifier. */
export interface AttentionCount {
  reason: AttentionReason;
  count: number;
  /** There may be more than `count`: the search ends after a bounded number of rows, whatever the size of the study. */
  more: boolean;
  first: Named[];
}

interface Named {
  user: string;
  name: string;
  code: string | null;
  /** For owners. */
  invitedAs: string | null;
}

/** Most members counted per reason. */
const maxCounted = 1000;
/** Candidates skipped before the search gives up. */
const maxInVain = 100;
/** The next silent user is searched for in each survey. */
const maxSilentSteps = 20_000;
const maxNames = 3;

type Asking = Pick<Context, 'db' | 'now' | 'actor'>;

/**
 * Counts members who need attention now, by reason, each up to a limit, so that the cost does not grow with the study.
 * One round trip. @throws resource.not-found, action.forbidden
 */
export async function countAttention(context: Asking, investigation: string): Promise<AttentionCount[]> {
  const { db, actor } = context;
  const [[me], rows] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        reason: sql<AttentionReason>`reason`.as('reason'),
        count: sql<number>`n`.as('n'),
        more: sql<number>`more`.as('more'),
        first: sql<string>`first`.as('first'),
      })
      .from(
        sql`(${sql.join(
          attentionReasons.map((reason) => countOf(context, investigation, reason)),
          sql` union all `,
        )})`,
      ),
  ]);
  const role = requireStaff(me?.role);
  return rows.map(({ reason, count, more, first }) => ({
    reason,
    count,
    more: more === 1,
    first: (JSON.parse(first) as Named[]).map((one) => shownTo(role, one)),
  }));
}

/** In SQL: the count of one reason. */
function countOf(context: Asking, investigation: string, reason: AttentionReason): SQL {
  const { looked, counted, most, isIt } = lookFor(context, investigation, reason);
  return sql`select * from (with looked(user) as materialized (${looked} limit ${most}),
    found(user) as materialized (select l.user from looked l where ${isIt} order by l.user limit ${counted} + 1)
    select ${reason} as reason, (select min(count(*), ${counted}) from found) as n,
      (select count(*) from looked) >= ${most} or (select count(*) from found) > ${counted} as more,
      (select json_group_array(json_object('user', u.id, 'name', u.name,
        'code', ${codeOf(investigation, sql`u.id`)}, 'invitedAs', ${invitedAs(investigation, sql`u.id`)})) from
        (select user from found order by user limit ${maxNames}) f cross join user u on u.id = f.user) as first)`;
}

/**
 * In SQL: users who may need attention for the reason, in order; how many are counted and looked at; and whether a user
 * does.
 */
function lookFor(context: Asking, investigation: string, reason: AttentionReason) {
  const isAsked = whenMember(investigation, context.actor, 'owner', 'editor');
  if (reason === 'silent') {
    const counted = sql`(select min(${maxCounted}, ${maxSilentSteps} / max(1, count(*))) from survey
      where investigation_id = ${investigation})`;
    const most = sql`${counted} + 1`;
    return {
      counted,
      most,
      looked: sql`select user from (${silentAfter({ investigation }, '', sql`limit ${most}`)}) where ${isAsked}`,
      isIt: takesPart(investigation, sql`l.user`),
    };
  }
  return {
    counted: sql`${maxCounted}`,
    most: sql`${maxCounted + maxInVain}`,
    looked: sql`select n.user_id from ${memberAttention} n where n.investigation_id = ${investigation}
      and n.reason = ${reason} and ${isAsked} order by n.user_id`,
    isIt:
      reason === 'paused'
        ? isPaused(context, investigation, sql`l.user`)
        : takesPart(investigation, sql`l.user`),
  };
}
