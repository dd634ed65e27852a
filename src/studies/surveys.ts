import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../errors.ts';
import { newIdentifier, newSecret } from '../identifiers.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  longDetailsBytes,
  type NewActivity,
  selectHead,
  selectSalted,
  withOptimisticRetry,
} from '../log/activities.ts';
import { changeOf } from '../log/details.ts';
import { logged } from '../log/logged.ts';
import {
  archived,
  checkRevision,
  isOpenStudy,
  requireOpen,
  requireUnfrozen,
} from '../permissions/edit-guards.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import { grow } from '../permissions/growth.ts';
import { bytesOf, requireBytes, rowBytes, selectSize, studyFull, textBytes } from '../permissions/limits.ts';
import { editors } from '../permissions/roles.ts';
import {
  asMember,
  maySeeSurvey,
  requireUnscoped,
  selectRole,
  studyOf,
  whenMember,
} from '../permissions/visibility.ts';
import { openSince } from '../reminders/groups.ts';
import { wakeSurvey } from '../reminders/wake.ts';
import { pushesOfDate } from '../schedule/daily-limit.ts';
import { windowsOf } from '../schedule/given-windows.ts';
import type { ReminderTexts } from '../schedule/languages.ts';
import { isDrawn } from '../schedule/rule.ts';
import { hashOfCreation, identifierTaken, nextRevision, selectCreation } from './creations.ts';
import { checkDates } from './dates.ts';
import { noteBlinded } from './properties.ts';
import { members } from './schema.ts';
import { checkGroups } from './survey-groups.ts';
import { type StoredReminders, type SurveyItem, surveys } from './survey-schema.ts';
import { checkTrigger } from './triggers.ts';

const surveyColumns = {
  id: sql<string>`${surveys.id}`.as('survey_id'),
  investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
  name: surveys.name,
  items: surveys.items,
  reminders: surveys.reminders,
  remindersRevision: surveys.remindersRevision,
  remindersSince: surveys.remindersSince,
  archivedAt: surveys.archivedAt,
  revisionId: surveys.revisionId,
  for: surveys.for,
  blinded: surveys.blinded,
  role: members.role,
  scope: members.scope,
};

const selectSurveys = (db: Database, actor: string) =>
  db
    .select(surveyColumns)
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .$dynamic();

export const selectSurvey = (db: Database, actor: string, id: string) =>
  selectSurveys(db, actor).where(sql`${surveys.id} = ${id} and ${maySeeSurvey}`);

/** @throws resource.not-found */
export async function readSurvey({ db, actor }: Context, id: string) {
  const [survey] = await selectSurvey(db, actor, id);
  if (!survey) throw notFound('survey');
  return survey;
}

export type Survey = Awaited<ReturnType<typeof readSurvey>>;

export interface NewSurvey {
  name: string;
  items: SurveyItem[];
  reminders: StoredReminders | null;
  /** Those who take it. Absent or null: everybody. */
  for?: PropertyRule | null | undefined;
  identifier?: string | undefined;
}

/**
 * Creates a survey; for owners and editors who see all of the study, while it has room. Its reminders, if any, are planned for all
 * members. A second call with the same identifier and content finds the survey of the first one, as it is now.
 * @throws request.invalid, resource.not-found, action.forbidden, identifier.taken, study.archived, limit.reached
 */
export async function createSurvey(context: Context, investigation: string, given: NewSurvey) {
  const { db, actor, now, limits } = context;
  const { identifier: id = newIdentifier(now), ...survey } = given;
  requireValid(context, survey.reminders);
  const createdHash = await hashOfCreation({ actor, in: investigation, given: survey });
  return withOptimisticRetry(async () => {
    const [[existing], [me], head, [salted], [size], [surveysThere]] = await db.batch([
      selectCreation(db, surveys, id),
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
      selectSalted(db, investigation),
      selectSize(db, investigation),
      db
        .select({ count: sql<number>`count(*)`.as('survey_count') })
        .from(surveys)
        .where(eq(surveys.investigationId, investigation)),
    ]);
    if (!me) throw notFound('investigation');
    if (existing && existing.createdHash !== createdHash) throw identifierTaken('survey');
    if (existing) return { survey: await readSurvey(context, id), created: false };
    requireUnscoped(me, 'create surveys');
    requireOpen(size);
    if (surveysThere && surveysThere.count >= limits.surveys) throw studyFull('surveys', limits.surveys);
    const { for: rule = null } = survey;
    const bytes = surveyBytes({ ...survey, for: rule });
    requireBytes(size, bytes, limits);
    requireUnfrozen(size);
    const { byBlinded } = await checkTrigger(db, { role: me.role, id, investigation, ...survey });
    await checkDates(db, { investigation, ...survey });
    const blinded = await checkGroups(
      db,
      { ...survey, id, investigation, for: rule },
      { role: me.role, before: null, given: survey, byBlinded },
    );
    const revisionId = newIdentifier(now);
    const row = { id, ...survey, for: rule, remindersRevision: 0, remindersSince: now, revisionId };
    const first = {
      ...(survey.reminders && { reminders: survey.reminders }),
      ...(rule && { for: rule }),
    };
    const details = {
      survey: id,
      before: Object.fromEntries(Object.keys(first).map((name) => [name, null])),
      after: first,
    };
    const action = survey.reminders ? 'survey.reminders-changed' : 'survey.changed';
    const change: NewActivity = { investigation, actor, action, details, salted: salted !== undefined };
    const isLogged = survey.reminders !== null || rule !== null;
    const entry = isLogged ? await chainEntry(headOf(head), change, context) : undefined;
    await db.batch([
      db.insert(surveys).values({
        ...row,
        blinded,
        // Null fails the batch if the role was lost since the read, or the study archived.
        investigationId: sql`case when ${whenMember(investigation, actor, ...editors)}
        and ${isOpenStudy(investigation)} then ${investigation} end`,
        createdAt: now,
        createdHash,
        windowSecret: survey.reminders && isDrawn(survey.reminders) ? newSecret() : null,
      }),
      ...(survey.reminders ? wakeSurvey(context, id) : []),
      ...(entry ? [appendActivity(db, entry)] : []),
      ...grow(context, investigation, { stored: bytes + (entry ? longDetailsBytes(entry) : 0) }),
    ]);
    const created: Survey = { ...row, blinded, investigationId: investigation, archivedAt: null, ...me };
    return { survey: created, created: true };
  });
}

/** @throws request.invalid */
export function requireFit(
  { push }: Pick<Context, 'push'>,
  reminders: { [K in keyof ReminderTexts]?: ReminderTexts[K] | undefined } | null | undefined,
): void {
  const { notification, translations = {} } = reminders ?? {};
  const texts = Object.entries(translations).map(([tag, text]) => [`translations/${tag}`, text] as const);
  for (const [name, text] of [['notification', notification] as const, ...texts])
    if (text && !push.fits(text))
      throw invalid(
        `/reminders/${name}`,
        'Expected a subject and a body that fit the 4 KB of the push services together.',
      );
}

/** @throws request.invalid when reminders cannot be set: their texts are too long, or they push too often */
export function requireValid(
  context: Pick<Context, 'push' | 'limits'>,
  reminders: StoredReminders | null | undefined,
): void {
  requireFit(context, reminders);
  requireFewPushes(context, reminders);
}

/** The trigger, the date and the people of a change that is not made yet are some that the survey may have. @throws request.invalid, resource.not-found */
export async function requireKnown(context: Context, id: string, change: SurveyChange): Promise<void> {
  const { reminders, for: rule } = change;
  if (!reminders?.trigger && typeof reminders?.from !== 'object' && !rule) return;
  const before = await readSurvey(context, id);
  const { investigationId: investigation, items, role } = before;
  const { byBlinded } = await checkTrigger(context.db, { role, id, investigation, items, reminders });
  await checkDates(context.db, { investigation, reminders, items: [] });
  const survey = {
    ...before,
    investigation,
    ...(reminders !== undefined && { reminders }),
    ...(rule !== undefined && { for: rule }),
  };
  await checkGroups(context.db, survey, { role, before, given: { for: rule }, byBlinded });
}

/** @throws request.invalid when the reminders alone are more than the study may push to one person on one date */
function requireFewPushes(
  { limits: { pushesPerDay } }: Pick<Context, 'limits'>,
  reminders: StoredReminders | null | undefined,
) {
  if (!reminders) return;
  const windows = windowsOf(reminders);
  const pushes = pushesOfDate(windows, reminders.followUps);
  if (pushes <= pushesPerDay) return;
  const occurrences = pushesOfDate(windows, null);
  const field = occurrences > pushesPerDay ? 'windows' : 'followUps';
  throw invalid(
    `/reminders/${field}`,
    `Too many pushes on one date, ${pushes} (occurrences ${occurrences}, nudges of each ${pushes / occurrences - 1}): expected at most ${pushesPerDay}.`,
  );
}

export interface SurveyChange {
  name?: string | undefined;
  items?: SurveyItem[] | undefined;
  reminders?: StoredReminders | null | undefined;
  /** Those who take it. Null: everybody. */
  for?: PropertyRule | null | undefined;
  /** Reminds also users whom the reminders before have reminded on the same date. */
  again?: boolean | undefined;
  status?: 'active' | 'archived' | undefined;
  /** The acceptable revisions; any, if omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * Changed reminders start a new revision, which invalidates every pending notification of the old one at once. For owners and editors
 * who see all of the study.
 * @throws request.invalid, resource.not-found, action.forbidden, revision.stale, item.archived, limit.reached
 */
export async function updateSurvey(
  context: Context,
  id: string,
  { ifMatch, again = false, ...change }: SurveyChange,
): Promise<Survey> {
  const { db, actor, now, limits } = context;
  requireValid(context, change.reminders);
  const read = () => [selectSurvey(db, actor, id), selectSize(db, studyOf(id))] as const;
  return logged(context, studyOf(id), read, async ([[before], [size]], write) => {
    requireUnscoped(before, 'change surveys', 'survey');
    checkRevision('survey', before.revisionId, ifMatch);

    const columns = changedColumns(before, change, now);
    const survey = { ...before, ...columns, revisionId: newIdentifier(now) };
    const changed = changeOf(shown(before), shown(survey));
    if (!changed) return before;
    if (before.archivedAt !== null && survey.archivedAt !== null)
      throw archived('', 'The survey is archived: bring it back first.');
    const growth = surveyBytes(survey) - surveyBytes(before);
    requireBytes(size, growth, limits);
    requireUnfrozen(size);
    const investigation = before.investigationId;
    const { role } = before;
    const { items } = survey;
    const { byBlinded } = await checkTrigger(db, {
      role,
      id,
      investigation,
      items,
      reminders: columns.reminders,
    });
    await checkDates(db, { investigation, items: columns.items ?? [], reminders: columns.reminders });
    const blinded = await checkGroups(
      db,
      { ...survey, investigation },
      { role, before, given: columns, byBlinded },
    );
    const action = 'reminders' in columns ? 'survey.reminders-changed' : 'survey.changed';
    const details = {
      survey: id,
      ...changed,
      ...('reminders' in columns && again && { again }),
    };
    await write({ investigation, action, details }, (entry) => [
      db
        .update(surveys)
        .set({
          ...columns,
          // The feed follows the columns that a statement names.
          ...('for' in columns && { name: survey.name }),
          ...('reminders' in columns && { remindsAgain: again }),
          revisionId: nextRevision(surveys, before, survey.revisionId),
          ...(columns.reminders &&
            isDrawn(columns.reminders) && {
              windowSecret: sql`coalesce(${surveys.windowSecret}, ${newSecret()})`,
            }),
        })
        .where(eq(surveys.id, id)),
      ...('for' in columns ? [noteBlinded(db, investigation)] : []),
      ...('reminders' in columns || 'archivedAt' in columns || 'for' in columns
        ? wakeSurvey(context, id)
        : []),
      ...grow(context, investigation, { stored: growth + longDetailsBytes(entry) }),
    ]);
    return { ...survey, blinded };
  });
}

const surveyBytes = ({
  name,
  items,
  reminders,
  for: rule,
}: Pick<Survey, 'name' | 'items' | 'reminders' | 'for'>) =>
  rowBytes +
  textBytes(name) +
  bytesOf(items) +
  (reminders ? bytesOf(reminders) : 0) +
  (rule ? bytesOf(rule) : 0);

/** The details of a survey in the log, as the API names them. */
const shown = ({ name, items, reminders, for: rule, archivedAt }: Survey) => ({
  name,
  items,
  reminders,
  for: rule,
  status: archivedAt === null ? 'active' : 'archived',
});

/** The columns to write: only changed ones. */
function changedColumns(
  before: Survey,
  { status, reminders, for: rule, ...plain }: SurveyChange,
  now: number,
) {
  const archives = status !== undefined && (status === 'archived') !== (before.archivedAt !== null);
  const reminds = reminders !== undefined && !same(reminders, before.reminders);
  const columns: Partial<Survey> = {
    ...(plain.name !== undefined && plain.name !== before.name && { name: plain.name }),
    ...(plain.items !== undefined && !same(plain.items, before.items) && { items: plain.items }),
    ...(archives && { archivedAt: status === 'archived' ? now : null }),
    ...(reminds && { reminders, remindersRevision: before.remindersRevision + 1 }),
    ...(rule !== undefined && !same(rule, before.for) && { for: rule }),
  };
  const { expiresAfter } = reminders ?? before.reminders ?? {};
  if (reminds || (archives && status === 'active')) columns.remindersSince = now;
  else if ('for' in columns && expiresAfter !== undefined)
    columns.remindersSince = openSince(before.remindersSince, { expiresAfter, now });
  return columns;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
