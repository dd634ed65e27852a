import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden } from '../errors.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { selectDeclared } from '../permissions/declared-properties.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { noteChange } from '../permissions/noted-changes.ts';
import { isWithin } from '../permissions/own-properties.ts';
import type { Role } from '../permissions/roles.ts';
import { requireEditor, requireOwner } from '../permissions/visibility.ts';
import { noteWoken, wakeSelected } from '../reminders/wake.ts';
import { type CourseChange, patched, patchOf, selectCourse, writePatches } from './course-patches.ts';
import { noCourse } from './dates.ts';
import { codeTaken, setCode } from './member-codes.ts';
import {
  isMembership,
  lastOwner,
  type Membership,
  pairOf,
  requireAccount,
  selectPair,
} from './member-rows.ts';
import { noteScopeChanged } from './regrouping.ts';
import { allMembers } from './schema.ts';
import { isSame, requireScope, scopeIn } from './scopes.ts';
import { shownMember } from './shown-members.ts';

/** The fields to change; a code of null is removed, and a scope of null is all of the study. */
export interface MemberChange extends CourseChange {
  role?: Role | undefined;
  code?: string | null | undefined;
  scope?: PropertyRule | null | undefined;
}

/**
 * Owners change roles and scopes, owners and editors codes, dates, times and properties, of members that they see. A responder takes part
 * from then on, and an owner or editor without phone and download no longer.
 * @throws request.invalid, resource.not-found, action.forbidden, member.last-owner, member.code-taken, study.frozen, limit.reached
 */
export async function changeMember(context: Context, membership: Membership, change: MemberChange) {
  const { db, actor, now } = context;
  const { investigation, user } = membership;
  const changesCourse = [change.dates, change.participation, change.properties].some(
    (one) => one !== undefined,
  );
  const isDeclaredRead = !changesCourse && (change.scope !== undefined || change.code !== undefined);
  // No surveys are counted for a change of people's roles and codes, and nothing of the study is read for one of roles.
  const read = () =>
    [
      ...selectPair(context, membership, change.code),
      selectCourse(context, changesCourse ? investigation : ''),
      selectDeclared(db, isDeclaredRead ? investigation : ''),
    ] as const;
  return logged(context, investigation, read, async ([mine, targets, taken, [study], [all]], write) => {
    const { me, target, isTaken } = pairOf([mine, targets, taken]);
    if (change.role !== undefined) requireOwner(me, 'change roles');
    if (change.scope !== undefined) requireOwner(me, 'change scopes');
    requireEditor(me, 'change codes and dates');
    if (!isWithin(me.scope, target.properties))
      throw forbidden('You see a part of the study only, and change the members of that part.');
    const declared = study?.course?.properties ?? all?.properties ?? [];
    const { role = target.role, code = target.code } = change;
    requireScope(change.scope, role, declared);
    const scope = scopeIn(role, change.scope === undefined ? target.scope : change.scope);
    const patch = patchOf(target, change, { course: study?.course ?? noCourse, me, now });
    const changed = shownMember(
      { ...target, role, code, scope, ...patched(target, patch) },
      { me, actor, declared },
    );
    const [changesRole, changesCode] = [role !== target.role, code !== target.code];
    const changesScope = !isSame(scope, target.scope);
    if (!changesRole && !changesCode && !changesScope && !patch) return changed;
    if (changesRole && target.lastOwner) throw lastOwner();
    if (changesRole) requireAccount(target);
    if (changesCode && isTaken) throw codeTaken();
    const details = {
      member: user,
      ...patch?.details,
      ...((changesRole || changesScope) && {
        before: {
          ...patch?.details.before,
          ...(changesRole && { role: target.role }),
          ...(changesScope && { scope: target.scope }),
        },
        after: { ...patch?.details.after, ...(changesRole && { role }), ...(changesScope && { scope }) },
      }),
      // Never the code itself: entries cannot be erased, and people type names.
      ...(changesCode && { code: code === null ? 'removed' : target.code === null ? 'given' : 'changed' }),
    };
    const action = actionOf({
      changesRole,
      changesScope,
      changesCode,
      changesProperties: !!patch?.properties,
    });
    const entry = { investigation, action, details } as const;
    const others = [
      ...(changesCode ? setCode(context, { investigation, user, code }) : []),
      ...(patch ? writePatches(context, investigation, [patch], { reminding: study?.reminding ?? 0 }) : []),
      ...(changesScope && !changesRole
        ? [
            db.update(allMembers).set({ scope }).where(isMembership(membership, allMembers)),
            noteChange(db, { investigation, kind: 'member', identifier: user }),
          ]
        : []),
      ...(changesScope ? [noteScopeChanged(db, investigation)] : []),
    ];
    if (!changesRole) {
      await write(entry, others);
      return changed;
    }
    const isTarget = isMembership(membership, allMembers);
    const [, moved] = await write(entry, [
      db.update(allMembers).set({ role, scope }).where(isTarget),
      ...wakeSelected(context, beginsOrEnds(membership)),
      db
        .update(allMembers)
        .set({ participantSince: sinceWhen(context) })
        .where(isTarget),
      noteChange(db, { investigation, kind: 'member', identifier: user }),
      ...(target.role === 'owner' ? [endProgramsOf(db, membership)] : []),
      ...others,
    ]);
    noteWoken(context, moved);
    return changed;
  });
}

/** The action of a change, by the weightiest thing that changes. */
function actionOf(
  changes: Record<'changesRole' | 'changesScope' | 'changesCode' | 'changesProperties', boolean>,
) {
  if (changes.changesRole) return 'member.role-changed';
  if (changes.changesScope) return 'member.scope-changed';
  if (changes.changesCode) return 'member.code-changed';
  return changes.changesProperties ? 'member.properties-changed' : 'member.dates-changed';
}

/** Ends the tokens of the programs that an owner has made, for good. The trigger `member_removed` does so for owners who leave. */
const endProgramsOf = (db: Database, { investigation, user }: Membership) =>
  db
    .update(users)
    .set({ issuer: null, subject: null })
    .where(
      sql`${users.madeBy} = ${user} and ${users.id} in (select p.user_id from member p
        where p.investigation_id = ${investigation} and p.role = 'monitor' and p.role <> 'responder')`,
    );

/**
 * In SQL: the member, if they begin to take part or no longer do, with the role that they have by now; and in a study with surveys that
 * owners alone see, which remind no other staff.
 */
const beginsOrEnds = ({ investigation, user }: Membership) =>
  sql`select m.user_id from member m where m.investigation_id = ${investigation} and m.user_id = ${user}
    and ((m.participant_since is null) = exists (
        select 1 from participant p where p.investigation_id = m.investigation_id and p.user_id = m.user_id)
      or exists (select 1 from survey b where b.investigation_id = m.investigation_id and b.blinded))`;

/** In SQL: since when they take part. */
const sinceWhen = ({ now }: Context) =>
  sql`(select coalesce(member.participant_since, ${now}) from participant p
    where p.investigation_id = member.investigation_id and p.user_id = member.user_id)`;
