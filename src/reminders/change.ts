import { eq, type SQL, sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { forbidden, notFound } from '../errors.ts';
import { newSecret } from '../identifiers.ts';
import type { Role } from '../permissions/roles.ts';
import { surveys } from '../studies/survey-schema.ts';
import {
  addEffects,
  type Before,
  type Effect,
  noEffect,
  type PlannedChange,
  same,
  textOf,
} from './change-effect.ts';
import { pushedBefore, stateColumns, tablesOfMembers } from './state-rows.ts';
import { triggersOf } from './triggers.ts';

/** Members of a slice that no page ends before: a few hundredths of a second. Draws within windows take longer. */
const sizes = { plain: 500, drawn: 150 };

/** People that are computed before other work has a turn. */
const atOnce = 75;

type Reading = Pick<Context, 'db' | 'actor' | 'now' | 'log'>;

/**
 * The effect that new reminders of a survey would have, for a slice of the members in the order of their identifiers; for owners and
 * editors. `next` is where the next slice begins: behind the person who fills the page, so that pages reach everyone, and each
 * is counted once. It is computed as plans are, from the same state under the new reminders: what is saved does that. One
 * round trip. @throws resource.not-found, action.forbidden
 */
export async function previewChange(
  context: Reading,
  id: string,
  change: PlannedChange,
): Promise<Effect & { next?: string }> {
  const { db, actor, now } = context;
  const size = change.reminders?.windows ? sizes.drawn : sizes.plain;
  const [[survey], rows] = await db.batch([
    db
      .select({
        role: sql<Role>`me.role`.as('role'),
        reminders: surveys.reminders,
        secret: surveys.windowSecret,
      })
      .from(surveys)
      .innerJoin(
        sql`current_member me`,
        sql`me.investigation_id = ${surveys.investigationId} and me.user_id = ${actor}`,
      )
      .where(eq(surveys.id, id)),
    query<Before>(db, change.reminders?.trigger ? slices.triggered : slices.plain, {
      survey: id,
      actor,
      now,
      after: change.after ?? '',
      size,
      given: textOf(change.reminders),
      source: change.reminders?.trigger?.survey,
    }),
  ]);
  if (!survey) throw notFound('survey');
  if (survey.role === 'responder') throw forbidden('Only owners and editors see whom a change concerns.');
  const secret = change.reminders?.windows
    ? (survey.secret ?? (await makeSecret(context, id)))
    : survey.secret;
  const effect = noEffect();
  const reminders = textOf(survey.reminders);
  const isSame = same(change.reminders, survey.reminders);
  const isCut = rows.length === size;
  const taking = rows.filter(({ member }) => member === 1);
  for (let start = 0; start < taking.length; start += atOnce) {
    if (start > 0) await breathe();
    const some = taking
      .slice(start, start + atOnce)
      .map((row) => ({ ...row, windowSecret: secret, reminders }));
    const full = addEffects(effect, context, some, { ...change, isSame });
    if (full !== undefined)
      return { ...effect, ...((full !== rows.at(-1)?.user || isCut) && { next: full }) };
  }
  const last = isCut ? rows.at(-1)?.user : undefined;
  return { ...effect, ...(last !== undefined && { next: last }) };
}

/** The next members of a survey's study with their reminders, if the actor may know of them. */
const sliceWith = (
  triggersAfter: SQL,
) => sql`select ${stateColumns}, null as reminders, ${triggersAfter} as triggersAfter,
    ${pushedBefore(sql`s.reminders_revision + 1`)} as pushedSoFar
  from (select x.* from survey q join member x on x.investigation_id = q.investigation_id
    where q.id = :survey and x.user_id > :after order by x.user_id limit :size) m ${tablesOfMembers}
  where s.id = :survey and exists (select 1 from current_member me where me.investigation_id = m.investigation_id
    and me.user_id = :actor and me.role <> 'responder')
  order by m.user_id`;

/** `triggered`: with the responses of user `u` that trigger survey `s` under the new reminders. */
const slices = {
  plain: sliceWith(sql`'[]'`),
  triggered: sliceWith(sql`(select ${triggersOf} from (
    select s.id, :given as plain_reminders, :source as triggered_by) s)`),
};

/** The secret from which the first windows of a survey will be drawn: it stays, so that those that were shown are saved. */
async function makeSecret({ db }: Reading, id: string): Promise<string | null> {
  const [stored] = await db
    .update(surveys)
    .set({ windowSecret: sql`coalesce(${surveys.windowSecret}, ${newSecret()})` })
    .where(eq(surveys.id, id))
    .returning({ secret: surveys.windowSecret });
  return stored?.secret ?? null;
}
