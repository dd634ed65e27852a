import { type SQL, sql } from 'drizzle-orm';
import { knownTo, requireKnownFilter, selectDeclared } from '../permissions/declared-properties.ts';
import { fits, type PropertyRule, propertiesOf, shownProperties } from '../permissions/groups.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { shownTo } from '../permissions/shown-people.ts';
import { requireStaff, selectRole } from '../permissions/visibility.ts';
import { type AskedPart, type Asking, isAskedPerson, myRole, readsOthers } from './filter.ts';
import {
  type AttentionReason,
  attentionReasons,
  invitedAs,
  maxLooked,
  neededDates,
  reasonsOf,
  selectParticipants,
} from './reasons.ts';

/** The number of members with a reason for attention, and the first of them by identifier. */
export interface AttentionCount {
  reason: AttentionReason;
  count: number;
  /** There may be more than `count`: the search ends after a bounded number of members, whatever the size of the study. */
  more: boolean;
  first: Named[];
}

interface Named {
  user: string;
  name: string;
  code: string | null;
  /** For owners. */
  invitedAs: string | null;
  properties: Record<string, string> | null;
}

/** Most members counted per reason. */
const maxCounted = 1000;

/**
 * Counts members who need attention now, by reason, each up to a limit, so that the cost does not grow with the study.
 * One round trip. @throws request.invalid, resource.not-found, action.forbidden
 */
export async function countAttention(
  context: Asking,
  asked: { investigation: string; property?: PropertyRule | undefined },
): Promise<AttentionCount[]> {
  const { db, actor } = context;
  const { investigation, property } = asked;
  const [[me], rows, ...declared] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        reason: sql<AttentionReason>`reason`.as('reason'),
        n: sql<number>`n`.as('n'),
        all: sql<number>`looked < most`.as('is_all'),
        first: sql<string>`${namesOf(context, investigation)}`.as('named'),
      })
      .from(sql`(${countsByReason(context, asked)})`),
    ...(property ? [selectDeclared(db, investigation)] : []),
  ]);
  requireStaff(me, readsOthers);
  requireKnownFilter(property, knownTo(me.role, declared[0]?.[0]?.properties));
  return rows.map(({ reason, n, all, first }) => ({
    reason,
    count: Math.min(n, maxCounted),
    more: all === 0 || n > maxCounted,
    first: (JSON.parse(first) as Named[]).map((person) => shownTo(me.role, person)),
  }));
}

/** Most owners and editors of a study who are looked at for the number of its participants. */
const maxStaff = sql.raw('1000');

/**
 * In SQL, for an `investigation` row of a list of `studies` that is read with the actor's `role` and `scope`: the numbers of
 * its participants and of those who need attention, as the actor sees them. Null for responders, and where a list would look
 * at too many people.
 */
export function countsOfStudy(context: Asking, me: { role: SQL; scope: SQL }, studies: SQL) {
  const { role, scope } = me;
  const study = {
    ...me,
    investigation: sql`investigation.id`,
    participationDays: sql`(investigation.course ->> 'participationDays')`,
    needed: sql`o.needed`,
  };
  const isNeeded = sql.join(Object.values(reasonsOf(context, study)), sql` or `);
  const participants = selectParticipants(context, study, {}, sql.raw('-1'));
  const isMine = fits(scope, sql`p.properties`);
  const isSmall = sql`member_count * ${studies} <= ${maxLooked(context, study)}`;
  return {
    participants: sql<number | null>`case when ${role} = 'responder' then null
      when ${scope} is not null then iif(${isSmall}, (select count(*) from (${participants}) p where ${isMine}), null)
      else member_count - (
      select iif(count(*) < ${maxStaff}, coalesce(sum(is_idle), 0), null) from (
        select s.participant_since is null as is_idle from member s indexed by member_staff
        where s.investigation_id = investigation.id and s.role <> 'responder' limit ${maxStaff})) end`,
    attention: sql<number | null>`iif(${role} <> 'responder' and ${isSmall},
      (select count(*) from (select ${neededDates(context, study)} as needed) o
        cross join (${participants}) p where iif(${isMine}, ${isNeeded}, 0)), null)`,
  };
}

/** Digits of an identifier. */
const digits = 32;
const maxNames = 3;

/**
 * In SQL: for each reason the number `n` of members, the first identifiers one after the other, and how many were looked
 * at, those included who are not asked for. The `limit -1` keeps SQLite from computing a reason again wherever it is used.
 */
function countsByReason(context: Asking, asked: AskedPart): SQL {
  const reasons = reasonsOf(context, asked);
  const column = (name: string, of: AttentionReason) => sql.identifier(`${name} ${of}`);
  const needed = attentionReasons.map(
    (reason) => sql`iif(p.asked, ${reasons[reason]}, 0) as ${column('is', reason)}`,
  );
  const sums = attentionReasons.map(
    (reason) => sql`coalesce(sum(${column('is', reason)}), 0) as ${column('n', reason)},
      substr(group_concat(iif(${column('is', reason)}, user, null), ''), 1, ${digits * maxNames}) as ${column('first', reason)}`,
  );
  const rows = attentionReasons.map(
    (
      reason,
    ) => sql`select ${reason} as reason, ${column('n', reason)} as n, ${column('first', reason)} as users,
      looked, ${maxLooked(context, asked)} as most from counted`,
  );
  const looked = selectParticipants(context, asked, {}, maxLooked(context, asked));
  return sql`with counted as materialized (select count(*) as looked, ${sql.join(sums, sql`, `)} from (
      select p.user, ${sql.join(needed, sql`, `)} from (
        select p.*, ${isAskedPerson(context, asked, sql`p.properties`)} as asked from (${looked}) p limit -1) p
      limit -1))
    ${sql.join(rows, sql` union all `)}`;
}

/** In SQL: the members whose identifiers are in `users`. */
const namesOf = (context: Asking, investigation: string): SQL => {
  const nth = (n: number) => sql.raw(`substr(users, ${n * digits + 1}, ${digits})`);
  const identifiers = Array.from({ length: maxNames }, (_, n) => nth(n));
  return sql`(select json_group_array(json_object('user', u.id, 'name', u.name, 'code', ${codeOf(investigation, sql`u.id`)},
    'invitedAs', ${invitedAs(investigation, sql`u.id`)}, 'properties', json(${shownProperties(
      propertiesOf(investigation, sql`u.id`),
      myRole(context, { investigation }),
      investigation,
    )}))) from user u where u.id in (${sql.join(identifiers, sql`, `)}))`;
};
