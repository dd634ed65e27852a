import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { Problem } from '../errors.ts';
import { fits, type GivenProperties, overlaps, type PropertyRule } from './groups.ts';
import { isWithin } from './own-properties.ts';
import type { Me } from './visibility.ts';

/** The most groups that a study freezes at a time. */
export const maxFrozenGroups = 20;

/** In SQL: one of the frozen groups that somebody or something with these properties is in, as JSON; null: none. */
export const frozenGroup = (groups: SQL, properties: SQL): SQL =>
  sql`(case when ${groups} is null then null else (
    select g.value from json_each(${groups}) g where ${fits(sql`g.value`, properties)} limit 1) end)`;

/** In SQL, beside a row `i` of the study: it is frozen, or a group that somebody or something with these properties is in. */
export const isFrozenWith = (properties: SQL): SQL =>
  sql`(i.frozen_at is not null or ${frozenGroup(sql`i.frozen_groups`, properties)} is not null)`;

/** The first frozen group with one of the combinations. */
export const frozenOf = (
  groups: readonly PropertyRule[] | null | undefined,
  combinations: readonly (GivenProperties | null)[],
): PropertyRule | undefined =>
  groups?.find((group) => combinations.some((one) => one !== null && isWithin(group, one)));

/** A group in words: "site: lyon, paris; arm: b". */
export const groupText = (group: PropertyRule): string =>
  Object.entries(group)
    .map(([name, values]) => `${name}: ${values.join(', ')}`)
    .join('; ');

/** @param groups those that the caller knows of; none: the text names no properties */
export const groupsFrozen = (groups: readonly PropertyRule[]) =>
  new Problem(
    'study.frozen',
    groups.length === 0
      ? 'This part of the study is frozen: an owner may end the freeze.'
      : `${groups.length === 1 ? 'A group' : 'Groups'} of the study ${groups.length === 1 ? 'is' : 'are'} frozen (${groups.map(groupText).join(' | ')}): an owner may end the freeze.`,
  );

export const studyFrozen = () =>
  new Problem('study.frozen', 'The study is frozen: an owner may end the freeze.');

/** The frozen groups as a member sees them: responders know of no properties, and scoped staff of their part alone. */
export const shownGroups = (
  { role, scope = null }: Pick<Me, 'role'> & Partial<Me>,
  groups: readonly PropertyRule[] | null | undefined,
): readonly PropertyRule[] =>
  role === 'responder' ? [] : (groups ?? []).filter((group) => overlaps(scope, group));

interface Frozen extends Me {
  frozenAt: number | null;
  groups: PropertyRule[] | null;
}

const studyOfThing = `select id as study from investigation where id = :thing
  union all select investigation_id from survey where id = :thing
  union all select investigation_id from study_case where id = :thing
  union all select investigation_id from response where id = :thing
  union all select investigation_id from set_aside where id = :thing`;

/** The error of a write that a trigger refused, in the words of the caller. @param thing the study, or one of its things */
export async function frozenProblem(db: Database, actor: string, thing: string): Promise<Problem> {
  const [found] = await query<Frozen>(
    db,
    `select i.frozen_at as frozenAt, i.frozen_groups as groups, me.role, me.scope from (${studyOfThing}) of
      join investigation i on i.id = of.study
      join current_member me on me.investigation_id = i.id and me.user_id = :actor limit 1`,
    { actor, thing },
    { groups: JSON.parse, scope: JSON.parse },
  );
  if (!found || found.frozenAt !== null || found.groups === null) return studyFrozen();
  return groupsFrozen(shownGroups(found, found.groups));
}
