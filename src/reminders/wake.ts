import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { oneOf } from '../db/json.ts';
import { allMembers } from '../studies/schema.ts';
import { cursors, wakes } from './schema.ts';

export type Waking = Pick<Context, 'db' | 'now' | 'woken'>;
export type Writing = Pick<Context, 'db' | 'now'>;

/*
 * A write that changes the input of plans adds one of these to its batch: the cursors concerned are looked at again, by
 * the state that the batch leaves. A slice that is under way does not move them, so no plan from an older state is kept.
 */

/** Pairs of a user and a survey that a request touches. Users with more, studies and surveys have a row of `wake`. */
export const maxPairs = 500;

/** In SQL: the surveys of user `w.user_id` that may remind. */
const pairs =
  sql.raw(`member m join survey s on s.investigation_id = m.investigation_id and s.plain_reminders is not null
  where m.user_id = w.user_id`);

/** A cursor that is there changes so. A slice under way ends first. */
const woken = (now: number) => ({
  version: sql`${cursors.version} + 1`,
  nextAt: sql`max(${now}, coalesce(${cursors.claimedUntil}, 0))`,
});

/** Pairs to wake, in SQL, with further values of their cursors. */
type Pairs = Record<'user' | 'survey' | 'from', SQL> & {
  [K in 'triggers' | 'downloadedAt' | 'downloadedOn']?: SQL;
};

/** Wakes pairs, which have a cursor from now on, and returns them. `setWhere`: only those cursors that are there already. */
export const wakePair = (
  { db, now }: Writing,
  { user, survey, from, triggers = none, downloadedAt = none, downloadedOn = none }: Pairs,
  set: Partial<Record<'triggers' | 'downloadedAt' | 'downloadedOn', SQL>> = {},
  setWhere?: SQL,
) =>
  db
    .insert(cursors)
    .select(
      sql`select ${user}, ${survey}, 1, ${now}, ${nothing}, ${triggers}, ${downloadedAt}, ${downloadedOn} from ${from} where true`,
    )
    .onConflictDoUpdate({
      target: [cursors.userId, cursors.surveyId],
      set: { ...woken(now), ...set },
      ...(setWhere && { setWhere }),
    })
    .returning({ user: cursors.userId, survey: cursors.surveyId });

const none = sql.raw('null');

/** The columns of a cursor from `claimed_until` to `unanswered`: nothing is planned. */
const nothing = sql.raw('null, 0, null, null, null, null, null, null, null, null, null, null, null, 0');

/** The same for what a query selects: `user_id` and `survey_id`. */
export const wakePairs = (context: Writing, selected: SQL, set?: { triggers: SQL }) =>
  wakePair(context, { user: sql`p.user_id`, survey: sql`p.survey_id`, from: sql`(${selected}) p` }, set);

/** A row that is written again begins anew. */
const again = (now: number) => ({
  afterUser: '',
  afterSurvey: '',
  at: now,
  version: sql`${wakes.version} + 1`,
});

const wakeLater = ({ db, now }: Writing, kind: (typeof wakes.$inferSelect)['kind'], id: string) =>
  db
    .insert(wakes)
    .values({ id, kind, at: now })
    .onConflictDoUpdate({ target: wakes.id, set: again(now) });

/**
 * The users that a query selects (`user_id`), before the batch changes the tables that it reads. Only the answer names them:
 * the caller hands the rows of the first statement to {@link noteWoken}.
 */
export function wakeSelected(context: Writing, affected: SQL) {
  const { db, now } = context;
  const users = sql`(select distinct user_id from (${affected}) where user_id is not null) w`;
  const few = sql`(select count(*) from (select 1 from ${pairs} limit ${maxPairs + 1})) <= ${maxPairs}`;
  return [
    db
      .select({ user: sql<string>`w.user_id`.as('user'), isFew: sql<number>`${few}`.as('is_few') })
      .from(users),
    db
      .insert(wakes)
      .select(sql`select w.user_id, 'user', '', '', ${now}, 0 from ${users} where not ${few}`)
      .onConflictDoUpdate({ target: wakes.id, set: again(now) }),
    wakePairs(
      context,
      sql`select w.user_id, s.id as survey_id from ${users} join member m on m.user_id = w.user_id
        join survey s on s.investigation_id = m.investigation_id and s.plain_reminders is not null where ${few}`,
    ),
  ] as const;
}

/** Notes the users that {@link wakeSelected} has woken, so that they are looked at after the request. */
export function noteWoken(
  { woken }: Pick<Context, 'woken'>,
  rows: readonly { user: string; isFew: number }[],
): void {
  for (const { user, isFew } of rows) woken.add(user).add(isFew ? user : many);
}

/** One user: their zone, time, memberships or downloads change. */
export function wakeUser(context: Waking, user: string) {
  context.woken.add(user);
  return wakeSelected(context, sql`select ${user} as user_id`);
}

/** Some users, whatever has happened. */
export const wakeUsers = (context: Writing, users: readonly string[]) =>
  wakeSelected(context, sql`select id as user_id from user where ${oneOf(sql`id`, users)}`);

/** The first download of a survey, on a local date of the user: they take part from now on. */
export function noteDownload(
  context: Waking,
  { user, survey, on }: { user: string; survey: string; on: string },
  which: SQL,
) {
  const { db, now } = context;
  context.woken.add(user);
  return [
    wakePair(
      context,
      {
        user: sql`${user}`,
        survey: sql`${survey}`,
        downloadedAt: sql`${now}`,
        downloadedOn: sql`${on}`,
        from: sql`(select 1 where ${which})`,
      },
      {
        downloadedAt: sql`coalesce(${cursors.downloadedAt}, ${now})`,
        downloadedOn: sql`coalesce(${cursors.downloadedOn}, ${on})`,
      },
    ),
    db
      .update(allMembers)
      .set({ participantSince: now })
      .where(sql`user_id = ${user} and participant_since is null
        and investigation_id = (select investigation_id from survey where id = ${survey} and ${which})`),
  ] as const;
}

/** A user who leaves a study: the cursors that are there. */
export function wakeLeaver(
  context: Waking,
  { user, investigation }: { user: string; investigation: string },
) {
  context.woken.add(user);
  const ofStudy = sql`select c.user_id, c.survey_id from scheduled_notification c
    where c.user_id = ${user} and c.survey_id in (select s.id from survey s where s.investigation_id = ${investigation})`;
  return [wakePairs(context, ofStudy)] as const;
}

/** Everyone in a study: its calendar or archival changes. */
export const wakeStudy = (context: Waking, investigation: string) =>
  wakeMany(context, 'study', investigation);

/** Everyone in a study, for one of its surveys. */
export const wakeSurvey = (context: Waking, survey: string) => wakeMany(context, 'survey', survey);

/** The name, among the woken users, of those that rows of `wake` are for. */
export const many = '';

function wakeMany(context: Waking, kind: 'study' | 'survey', id: string) {
  context.woken.add(many);
  return [wakeLater(context, kind, id)] as const;
}

/** A deployment is over within this long: from then on no process of the previous version plans. */
const deploymentMs = 15 * 60_000;

/**
 * Everyone, since the zone rules are newer: now, and once more after the previous version has ended, which plans by its own
 * rules until then.
 */
export const wakeEveryone = (context: Writing) =>
  [
    wakeLater(context, 'everyone', 'everyone'),
    wakeLater({ ...context, now: context.now + deploymentMs }, 'everyone', 'everyone, once more'),
  ] as const;
