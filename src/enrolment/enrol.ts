import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { newIdentifier, newSecret, participantIssuer, sha256 } from '../identifiers.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  type NewActivity,
  selectHeadOf,
  withOptimisticRetry,
} from '../log/activities.ts';
import { roleChange } from '../log/details.ts';
import { users } from '../people/schema.ts';
import { readUser } from '../people/users.ts';
import { isOpenStudy } from '../permissions/edit-guards.ts';
import { studyFull } from '../permissions/limits.ts';
import { ownFrom, stillDeclared } from '../permissions/own-properties.ts';
import { isAlive } from '../permissions/visibility.ts';
import { releasePhones } from '../phones/removal.ts';
import { removeEndpoints } from '../phones/sync.ts';
import { knownZone } from '../reminders/effective-zone.ts';
import { noteWoken, wakeUser } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { hashesOf, informationFor } from '../studies/information.ts';
import { countOfStudy } from '../studies/invitations.ts';
import { allMembers, type Information, investigations } from '../studies/schema.ts';
import { isElsewhere } from './elsewhere.ts';
import { inQueue } from './queue.ts';
import { isOwnRelink } from './relinks.ts';
import { enrolments } from './schema.ts';
import { hourOf, oneMoreIn } from './uses-by-hour.ts';

export interface NewParticipant {
  /** The code, as `readCode` reads it. */
  code: string;
  /** Made by the client at random: a repeat with it finds the user of the first request. */
  secret?: string | undefined;
  name?: string | undefined;
  timeZone?: string | undefined;
  language?: string | undefined;
  /** The hash of the information that they have read. */
  agreedTo?: string | undefined;
}

/**
 * Uses a code, for a new responder of its study, or for the participant who gets a new token by it. The tokens of a user
 * name its subject, so that another subject ends them. Every unusable code gets one answer, after one read.
 * @param countUse called once, before the code is used: it may refuse
 * @throws resource.not-found, limit.reached, information.changed
 */
export async function enrol(
  context: Omit<Context, 'actor'>,
  newcomer: NewParticipant,
  countUse: () => Promise<void>,
) {
  const { db, now, limits } = context;
  const { code, secret } = newcomer;
  const subject = secret === undefined ? newSecret() : await sha256(`${code} ${secret}`);
  let isCounted = false;
  const attempt = async () => {
    const study = sql`(select investigation_id from enrolment where code = ${code})`;
    const [[enrolment], head, [invited], [known]] = await db.batch([
      selectByCode(db, code),
      selectHeadOf(db, study),
      countOfStudy(db, study, now),
      db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.issuer, participantIssuer), eq(users.subject, subject))),
    ]);
    if (!enrolment || enrolment.archivedAt !== null) throw unusable();
    if (known) return { ...enrolment, user: known.id, created: false };
    if (isSpent(enrolment, now)) throw unusable();
    if (!isCounted) await countUse();
    isCounted = true;
    await requirePresent(enrolment.information, newcomer.agreedTo);
    if (enrolment.participant !== null)
      return relink(context, { ...enrolment, subject }, enrolment.participant);
    const members = enrolment.memberCount + (invited?.count ?? 0);
    if (members >= limits.members) throw studyFull('members', limits.members);
    return join(context, { ...enrolment, head: headOf(head), subject }, newcomer);
  };
  const used = await inQueue(code, () => withOptimisticRetry(attempt));
  return { ...used, subject, user: await readUser({ db, now }, used.user) };
}

/**
 * The study that a code is for: its name, and its information in a language. Tells nothing of other uses and users of the
 * code, and uses nothing up.
 * @param countUse may refuse @throws resource.not-found
 */
export async function aboutCode(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { code, language }: { code: string; language?: string | undefined },
  countUse: () => Promise<void>,
) {
  const [enrolment] = await selectByCode(db, code);
  if (!enrolment || enrolment.archivedAt !== null || isSpent(enrolment, now)) throw unusable();
  await countUse();
  const { name, timeZone, information } = enrolment;
  return { name, timeZone, information: await informationFor(information, language) };
}

const isSpent = (code: Omit<Usable, 'subject'>, now: number) =>
  code.used >= code.uses || code.endedAt !== null || (code.expiresAt ?? Infinity) <= now || !code.takesPart;

/** Nobody agrees to a text that they were not shown. @throws information.changed */
async function requirePresent(information: Information | null, agreedTo: string | undefined) {
  if (agreedTo !== undefined && !(await hashesOf(information)).includes(agreedTo))
    throw new Problem(
      'information.changed',
      'Expected the hash of a present text of the study: read it again with POST /enrol/about.',
    );
}

const unusable = () =>
  new Problem(
    'resource.not-found',
    'This code is wrong, or was used, or is no longer valid. Ask the team of the study for another one.',
  );

const selectByCode = (db: Database, code: string) =>
  db
    .select({
      id: sql<string>`${enrolments.id}`.as('enrolment'),
      investigation: sql<string>`${enrolments.investigationId}`.as('study'),
      name: investigations.name,
      timeZone: investigations.timeZone,
      information: investigations.information,
      archivedAt: investigations.archivedAt,
      memberCount: investigations.memberCount,
      course: investigations.course,
      dates: enrolments.dates,
      participation: enrolments.participation,
      properties: enrolments.properties,
      uses: enrolments.uses,
      used: enrolments.used,
      expiresAt: enrolments.expiresAt,
      endedAt: enrolments.endedAt,
      participant: enrolments.userId,
      takesPart: sql<number>`${enrolments.userId} is null or
        ${takesPartHere(enrolments.userId, enrolments.investigationId)}`.as('takes_part'),
    })
    .from(enrolments)
    .innerJoin(investigations, eq(investigations.id, enrolments.investigationId))
    .where(eq(enrolments.code, code));

type Usable = Awaited<ReturnType<typeof selectByCode>>[number] & { subject: string };

/** The dates of a code, as a new member has them, without those that the study no longer declares. */
const datesOf = ({ dates, course }: Usable, now: number) =>
  dates &&
  Object.fromEntries(
    Object.entries(dates)
      .filter(([name]) => course?.dates.includes(name))
      .map(([name, date]) => [name, [date, now, now] as const]),
  );

/** The properties of a code, as a new member has them, without those that the study no longer declares. */
const propertiesOf = ({ properties, course }: Usable, now: number) =>
  stillDeclared(ownFrom(properties ?? {}, now), course?.properties ?? []);

/** A statement that counts one more use. Null fails the batch if the code has none left, or the condition fails. */
const use = ({ db, now }: Pick<Context, 'db' | 'now'>, { id }: Usable, condition: SQL) =>
  db
    .update(enrolments)
    .set({
      used: sql`case when used < uses and ended_at is null and coalesce(expires_at > ${now}, 1)
        and ${condition} then used + 1 end`,
      usesByHour: oneMoreIn(hourOf(now)),
    })
    .where(eq(enrolments.id, id));

/** Makes a responder of the study. */
async function join(
  context: Omit<Context, 'actor'>,
  enrolment: Usable & { head: ReturnType<typeof headOf> },
  {
    name = null,
    timeZone = null,
    language = null,
    agreedTo = null,
  }: { [K in keyof NewParticipant]?: string | null | undefined },
) {
  const { db, now } = context;
  const { id: enrolmentId, investigation, subject, head, participation } = enrolment;
  const id = newIdentifier(now);
  const entry: NewActivity = {
    investigation,
    actor: id,
    action: 'member.added',
    salted: enrolment.course?.properties !== undefined,
    details: {
      ...roleChange(id, null, 'responder'),
      enrolment: enrolmentId,
      ...(agreedTo !== null && { agreedTo }),
    },
  };
  const isStudy = eq(investigations.id, investigation);
  await db.batch([
    appendActivity(db, await chainEntry(head, entry, context)),
    use(context, enrolment, isOpenStudy(investigation)),
    db
      .update(investigations)
      .set({ enrolledCount: sql`${investigations.enrolledCount} + 1` })
      .where(isStudy),
    db.insert(users).values({
      id,
      issuer: participantIssuer,
      subject,
      name: sql`coalesce(${name}, 'Participant ' || (select enrolled_count from investigation where id = ${investigation}))`,
      timeZone,
      language,
      enrolmentId,
      seenAt: now,
      createdAt: now,
    }),
    db.insert(allMembers).values({
      investigationId: investigation,
      userId: id,
      role: 'responder',
      agreedTo,
      joinedOn: localDate(now, knownZone(timeZone ?? enrolment.timeZone, enrolment.timeZone)),
      dates: datesOf(enrolment, now),
      participation: participation && { ...participation, at: now },
      properties: propertiesOf(enrolment, now),
      number: sql`(select enrolled_count from investigation where id = ${investigation})`,
      createdAt: now,
    }),
    ...wakeUser(context, id),
  ]);
  return { ...enrolment, user: id, created: true };
}

/** In SQL: the participant takes part in the study, and nowhere else. */
const takesPartHere = (
  user: string | AnySQLiteColumn,
  investigation: string | AnySQLiteColumn,
) => sql`(exists (select 1 from current_member m where m.investigation_id = ${investigation} and m.user_id = ${user})
  and not ${isElsewhere(user, investigation)})`;

/**
 * Gives a participant a new token, while they take part in the study, and nowhere else. The phones that were registered
 * with the earlier tokens go along with them.
 */
async function relink(context: Omit<Context, 'actor'>, enrolment: Usable, user: string) {
  const { db } = context;
  const isOpenMember = sql`${isOpenStudy(enrolment.investigation)} and ${takesPartHere(user, enrolment.investigation)}`;
  const [, moved, , , released] = await db.batch([
    use(context, enrolment, isOpenMember),
    ...releasePhones(context, sql`user_id = ${user}`),
    db.update(users).set({ subject: enrolment.subject }).where(isAlive(user)),
    // Made by the phone whose tokens end here.
    db.delete(enrolments).where(and(isOwnRelink(user), ne(enrolments.id, enrolment.id))),
  ]);
  noteWoken(context, moved);
  await removeEndpoints(context, released);
  return { ...enrolment, user, created: false };
}
