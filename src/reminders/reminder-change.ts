import { eq, type SQL, sql } from 'drizzle-orm';
import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { newSecret } from '../identifiers.ts';
import { fits, type PropertyRule } from '../permissions/groups.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import type { Role } from '../permissions/roles.ts';
import { maySeeSurvey, requireStaff } from '../permissions/visibility.ts';
import { nextOccurrence, occurrences } from '../schedule/occurrences.ts';
import { isDrawn } from '../schedule/rule.ts';
import { members } from '../studies/schema.ts';
import { type StoredReminders, surveys } from '../studies/survey-schema.ts';
import { atOnce, compared, same } from './compared.ts';
import { comingOf } from './dates-change.ts';
import { groupOf, openSince } from './groups.ts';
import { type ReminderRow, toReminders, type UserReminders } from './state.ts';
import { pushedBefore, stateColumns, tablesOfMembers } from './state-rows.ts';
import { triggersOf } from './triggers.ts';
import { comingSince } from './upcoming.ts';

/** Members of a slice that no page ends before: a few hundredths of a second. Draws within windows take longer. */
const sizes = { plain: 500, drawn: 150 };

/** Members that a slice looks at for those of the part that the actor sees. */
const maxLooked = 5_000;

type Reading = Pick<Context, 'db' | 'actor' | 'now' | 'log'>;

/**
 * The effect that new reminders of a survey would have, or that it would be for others, for a slice of the members in the order of their
 * identifiers, of those whom the actor sees; for owners, editors and monitors. `next` is where the next slice begins: behind the person who fills the page, so that pages reach everyone, and each
 * is counted once. It is computed as plans are, from the same state under the new reminders: what is saved does that. One
 * round trip. @throws resource.not-found, action.forbidden
 */
export async function previewChange(
  context: Reading,
  id: string,
  given: GivenChange,
): Promise<Effect & { next?: string }> {
  const { db, actor, now } = context;
  const drawn = given.reminders != null && isDrawn(given.reminders);
  const size = drawn || given.reminders === undefined ? sizes.drawn : sizes.plain;
  const [[survey], rows, [looked]] = await db.batch([
    db
      .select({
        role: sql<Role>`${members.role}`.as('role_of_actor'),
        reminders: surveys.reminders,
        for: surveys.for,
        secret: surveys.windowSecret,
      })
      .from(surveys)
      .innerJoin(
        members,
        sql`${members.investigationId} = ${surveys.investigationId} and ${members.userId} = ${actor}`,
      )
      .where(sql`${surveys.id} = ${id} and ${maySeeSurvey}`),
    query<Before>(db, given.reminders?.trigger ? slices.triggered : slices.plain, {
      survey: id,
      actor,
      now,
      after: given.after ?? '',
      size,
      given: textOf(given.reminders ?? null),
      source: given.reminders?.trigger?.survey,
    }),
    query<{ user: string }>(db, edge, { survey: id, actor, after: given.after ?? '' }),
  ]);
  requireStaff(survey, 'see whom a change concerns', 'survey');
  const { for: rule = survey.for, reminders: planned = survey.reminders, ...how } = given;
  const change = { ...how, reminders: planned };
  const secret = drawn ? (survey.secret ?? (await makeSecret(context, id))) : survey.secret;
  const effect = noEffect();
  const reminders = textOf(survey.reminders);
  const isSame = same(change.reminders, survey.reminders);
  const isForSame = same(rule, survey.for);
  const ruleText = rule && JSON.stringify(rule);
  const last = rows.at(-1)?.user;
  const end = rows.length === size ? last : looked && hiddenPlace(looked.user, last);
  const taking = rows.filter(
    (row) =>
      row.member === 1 && (groupOf(row).isIn || (!isForSame && groupOf({ ...row, for: ruleText }).isIn)),
  );
  for (let start = 0; start < taking.length; start += atOnce) {
    if (start > 0) await breathe();
    const some = taking
      .slice(start, start + atOnce)
      .map((row) => ({ ...row, windowSecret: secret, reminders }));
    const full = addEffects(effect, context, some, {
      ...change,
      isSame,
      ...(!isForSame && { for: ruleText }),
    });
    if (full !== undefined) return { ...effect, ...((full !== last || end !== undefined) && { next: full }) };
  }
  return { ...effect, ...(end !== undefined && { next: end }) };
}

/** In SQL: the actor, if they are of the staff that sees survey `q`. */
const asReader = sql`cross join current_member me on me.investigation_id = q.investigation_id and me.user_id = :actor
  and (me.role = 'owner' or me.role <> 'responder' and not q.blinded)`;

/** The next members of a survey's study with their reminders, of those whom the actor sees. */
const sliceWith = (
  triggersAfter: SQL,
) => sql`select ${stateColumns}, null as reminders, ${triggersAfter} as triggersAfter,
    ${pushedBefore(sql`s.reminders_revision + 1`)} as pushedSoFar
  from (select * from (select x.*, me.scope as seenPart from survey q ${asReader}
      cross join member x on x.investigation_id = q.investigation_id
      where q.id = :survey and x.user_id > :after order by x.user_id limit ${maxLooked}) y
    where ${fits(sql`y.seenPart`, sql`y.properties`)} limit :size) m ${tablesOfMembers}
  where s.id = :survey order by m.user_id`;

/** The end of a slice that reaches its bound; nothing is read for an actor who sees the whole study. */
const edge = sql`select x.user_id as user from survey q ${asReader} and me.scope is not null
  cross join member x on x.investigation_id = q.investigation_id
  where q.id = :survey and x.user_id > :after order by x.user_id limit 1 offset ${maxLooked - 1}`;

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

/** A change as it is asked for: what is absent stays. */
export type GivenChange = Omit<PlannedChange, 'reminders'> & {
  reminders?: StoredReminders | null | undefined;
  for?: PropertyRule | null | undefined;
};

/** New reminders of a survey that are not set yet, and the people to look at. */
export interface PlannedChange {
  reminders: StoredReminders | null;
  again: boolean;
  /** Epoch ms: occurrences after it are compared. Now, if it is earlier. */
  from?: number | undefined;
  /** People that are shown: the slice ends with the last of them. 0: nobody, of a whole slice. */
  limit: number;
  /** The last member of the slice before. */
  after?: string | undefined;
}

/** The next occurrences of somebody before and after the change, epoch ms. */
export interface Concerned {
  user: string;
  before: number[];
  after: number[];
}

/** The effect of a change on a slice of the people. */
export interface Effect {
  /** People who take part: the sum of the next four. */
  people: number;
  unchanged: number;
  /** Both lists have occurrences, and differ. */
  moved: number;
  /** Nothing came before. */
  added: number;
  /** Nothing comes any more. */
  removed: number;
  /** People who got a push on the date that it is for them, and on which the new reminders come again with `again`. */
  againToday: number;
  /** Those whose occurrences differ. */
  page: Concerned[];
}

export const noEffect = (): Effect => ({
  people: 0,
  unchanged: 0,
  moved: 0,
  added: 0,
  removed: 0,
  againToday: 0,
  page: [],
});

/** Texts do not matter, and may be long. */
export const textOf = (reminders: StoredReminders | null) =>
  reminders && JSON.stringify({ ...reminders, notification: undefined, translations: undefined });

/** A row, with the last push of any revision, and the responses that trigger the new reminders. */
export type Before = ReminderRow & { pushedSoFar: string | null; triggersAfter: string };

/** The result of a change: `isSame` reminders, or others. `for`, as JSON, only if that changes. */
interface Changed {
  isSame: boolean;
  for?: string | null;
}

/** The row as new reminders leave it: under the next revision, which knows of all pushes before it. */
const changed = (row: Before, reminders: string | null, { now, again }: { now: number; again: boolean }) => ({
  ...row,
  reminders,
  revision: row.revision + 1,
  remindersSince: now,
  pushed: again ? null : row.pushedSoFar,
  triggers: row.triggersAfter,
});

/** The row as it is for other people. Those who are new get what is still open. */
const regrouped = (
  row: Before,
  rule: string | null,
  { reminders, now }: { reminders: StoredReminders | null; now: number },
) => ({
  ...row,
  for: rule,
  remindersSince: reminders
    ? openSince(row.remindersSince, { expiresAfter: reminders.expiresAfter, now })
    : row.remindersSince,
});

/** Adds the effect on some people, up to the one who fills the page; returns that one. */
export function addEffects(
  effect: Effect,
  context: Pick<Context, 'db' | 'now' | 'log'>,
  rows: Before[],
  { reminders, again, from = 0, limit, isSame, ...group }: PlannedChange & Changed,
): string | undefined {
  const { now } = context;
  const text = textOf(reminders);
  const statesOf = (some: Before[], isAgain: boolean) =>
    toReminders(
      context,
      some.map((one) => {
        const row = group.for === undefined ? one : regrouped(one, group.for, { reminders, now });
        return isSame ? row : changed(row, text, { now, again: isAgain });
      }),
    );
  const comingTo = (state: UserReminders) =>
    group.for !== undefined && from <= now ? comingOf(state, now) : nextOf(state, now, from);
  const after = statesOf(rows, false);
  // Earlier pushes make a difference to few people.
  const isReminded = (n: number) => !isSame && (after[n]?.remindedUntil ?? 0) > now;
  const anew = new Map(
    statesOf(
      rows.filter((_, n) => isReminded(n)),
      true,
    ).map((state) => [state.user, state]),
  );
  for (const [n, state] of toReminders(context, rows).entries()) {
    const [once, twice] = [after[n] as UserReminders, anew.get(state.user)];
    const one = {
      user: state.user,
      before: comingTo(state),
      after: comingTo((again && twice) || once),
    };
    const kind = kindOf(one);
    effect.people++;
    effect[kind]++;
    if (twice && (nextOccurrence(twice)?.dueAt ?? Infinity) <= once.remindedUntil) effect.againToday++;
    if (kind !== 'unchanged' && limit > 0 && effect.page.push(one) === limit) return state.user;
  }
  return undefined;
}

function kindOf({ before, after }: Concerned) {
  if (same(before, after)) return 'unchanged';
  if (before.length === 0) return 'added';
  return after.length === 0 ? 'removed' : 'moved';
}

function nextOf(state: UserReminders, now: number, from: number): number[] {
  const found: number[] = [];
  for (const { dueAt } of occurrences(state, from > now ? from : comingSince(state, now)))
    if (found.push(dueAt) === compared) break;
  return found;
}
