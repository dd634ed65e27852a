import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { invalid, limitReached } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { knownTo, requireKnown, withinScope } from '../permissions/declared-properties.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { fits, fitsGiven, type GivenProperties, isBlinded, propertiesOf } from '../permissions/groups.ts';
import { selectSize } from '../permissions/limits.ts';
import { nullIfEmpty } from '../permissions/own-properties.ts';
import { editors } from '../permissions/roles.ts';
import { asMember, requireEditor, selectRole, whenMember } from '../permissions/visibility.ts';
import { selectCourse } from '../studies/course-patches.ts';
import { hashOfCreation, identifierTaken, selectCreation } from '../studies/creations.ts';
import { namesIn, noCourse, requireDeclared } from '../studies/dates.ts';
import { members, type OwnParticipation } from '../studies/schema.ts';
import { newEnrolmentCode } from './codes.ts';
import { enrolments } from './schema.ts';

export interface NewEnrolment {
  label?: string | undefined;
  uses: number;
  /** Epoch ms. */
  expiresAt?: number | undefined;
  dates?: Record<string, string> | undefined;
  participation?: Omit<OwnParticipation, 'at'> | undefined;
  properties?: GivenProperties | undefined;
  identifier?: string | undefined;
}

const columns = {
  id: enrolments.id,
  investigationId: sql<string>`${enrolments.investigationId}`.as('study'),
  number: enrolments.number,
  code: enrolments.code,
  label: enrolments.label,
  uses: enrolments.uses,
  dates: enrolments.dates,
  participation: enrolments.participation,
  properties: enrolments.properties,
  used: enrolments.used,
  usesByHour: enrolments.usesByHour,
  expiresAt: enrolments.expiresAt,
  endedAt: enrolments.endedAt,
  userId: sql<string | null>`${enrolments.userId}`.as('participant'),
  createdAt: sql<number>`${enrolments.createdAt}`.as('since'),
};

/**
 * In SQL: owners see all codes; others those of their part of the study and of no blinded property, and those of participants whom they
 * see. Needs `asMember`.
 */
const isSeenCode = sql`(${members.role} in ('owner', 'responder') or iif(${enrolments.userId} is null,
  not ${isBlinded(enrolments.properties, enrolments.investigationId)} and ${fitsGiven(members.scope, enrolments.properties)},
  ${fits(members.scope, propertiesOf(sql`${enrolments.investigationId}`, sql`${enrolments.userId}`))}))`;

const selectEnrolments = (db: Database, actor: string) =>
  db
    .select({ ...columns, role: members.role })
    .from(enrolments)
    .innerJoin(members, asMember(enrolments.investigationId, actor))
    .$dynamic();

const selectEnrolment = (db: Database, actor: string, id: string) =>
  selectEnrolments(db, actor).where(and(eq(enrolments.id, id), isSeenCode));

export type Enrolment = Omit<Awaited<ReturnType<typeof readEnrolment>>, 'role'>;

/** An act of owners and editors alone, for `requireEditor`. */
export const handlesCodes = 'see and make codes';

/** A code of a study; for owners and editors who see it. @throws resource.not-found, action.forbidden */
export async function readEnrolment({ db, actor }: Context, id: string) {
  const [enrolment] = await selectEnrolment(db, actor, id);
  requireEditor(enrolment, handlesCodes, 'enrolment');
  return enrolment;
}

/** The number of the newest code of a study. */
const lastNumber = (investigation: string) =>
  sql<number>`(select coalesce(max(number), 0) from enrolment where investigation_id = ${investigation})`;

/**
 * Makes a code, with its entry in the log; for owners and editors, and within their scope. A repeat with the same identifier and
 * content finds the code of the first.
 * @throws request.invalid, resource.not-found, action.forbidden, study.archived, identifier.taken, limit.reached
 */
export async function createEnrolment(context: Context, investigation: string, content: NewEnrolment) {
  const { db, actor, now, limits } = context;
  const { identifier: id = newIdentifier(now), label = null, uses, expiresAt = null } = content;
  const { dates = null, participation = null } = content;
  const asked = nullIfEmpty(content.properties ?? {});
  const given = {
    label,
    uses,
    expiresAt,
    ...(dates && { dates }),
    ...(participation && { participation }),
    ...(asked && { properties: asked }),
  };
  const createdHash = await hashOfCreation({ actor, in: investigation, given });
  const read = () =>
    [
      selectCreation(db, enrolments, id),
      selectRole(db, investigation, actor),
      selectSize(db, investigation),
      db.select({ last: lastNumber(investigation).as('last') }).from(sql`(select 1)`),
      selectCourse(context, investigation),
    ] as const;
  return logged(context, investigation, read, async ([[existing], [me], [size], [codes], [study]], write) => {
    requireEditor(me, handlesCodes);
    if (existing && existing.createdHash !== createdHash) throw identifierTaken('enrolment');
    if (existing) return { enrolment: await readEnrolment(context, id), created: false };
    requireOpen(size);
    if (expiresAt !== null && expiresAt <= now)
      throw invalid('/expiresAt', 'Expected a time that is still to come.');
    const course = study?.course ?? noCourse;
    requireDeclared(namesIn(dates, '/dates'), course.dates);
    requireKnown(asked ?? {}, knownTo(me.role, course.properties), '/properties');
    const properties = nullIfEmpty(withinScope(me.scope, asked ?? {}));
    if ((codes?.last ?? 0) >= limits.enrolments)
      throw limitReached(
        'MAX_ENROLMENTS',
        `The study has ${limits.enrolments} codes, and may have no more: make some for more uses.`,
      );
    const holds = sql`${whenMember(investigation, actor, ...editors)} and ${isOpenStudy(investigation)}`;
    const insert = db.insert(enrolments).values({
      id,
      investigationId: investigation,
      number: sql`${lastNumber(investigation)} + 1`,
      // Null fails the statement if the read no longer holds.
      code: sql`case when ${holds} then ${newEnrolmentCode()} end`,
      label,
      uses,
      dates,
      participation,
      properties,
      expiresAt,
      createdBy: actor,
      createdAt: now,
      createdHash,
    });
    // Neither the code nor its label: entries cannot be erased, and people type names.
    const after = {
      uses,
      expiresAt: expiresAt === null ? null : instant(expiresAt),
      ...(dates && { dates }),
      ...(participation && { participation }),
      ...(properties && { properties }),
    };
    const details = { enrolment: id, after };
    const entry = { investigation, action: 'enrolment.added', details } as const;
    const [[enrolment]] = await write(entry, [insert.returning(columns)]);
    return { enrolment: enrolment as NonNullable<typeof enrolment>, created: true };
  });
}

/** Codes that a page looks at, at most: some editors see few of them. */
const maxLooked = 5_000;

/**
 * The codes of a study in order of creation, one more if more follow; for owners and editors, those that they see. A page of
 * editors may be short: `end` is then the number of the last code that was looked at. @throws resource.not-found, action.forbidden
 */
export async function listEnrolments(
  { db, actor }: Context,
  investigation: string,
  { after = 0, limit }: { after?: number | undefined; limit: number },
) {
  const end = after + maxLooked;
  const [[me], rows, more] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select(columns)
      .from(enrolments)
      .innerJoin(members, asMember(enrolments.investigationId, actor))
      .where(
        and(
          eq(enrolments.investigationId, investigation),
          whenMember(investigation, actor, ...editors),
          sql`${enrolments.number} > ${after}`,
          sql`(${members.role} = 'owner' or ${enrolments.number} <= ${end})`,
          isSeenCode,
        ),
      )
      .orderBy(enrolments.number)
      .limit(limit + 1),
    db
      .select({ number: enrolments.number })
      .from(enrolments)
      .where(and(eq(enrolments.investigationId, investigation), sql`${enrolments.number} > ${end}`))
      .limit(1),
  ]);
  requireEditor(me, handlesCodes);
  return { rows, end: me.role === 'owner' || more.length === 0 ? undefined : end };
}

/** Ends a code for good; for owners and editors. Ending it again changes nothing. @throws resource.not-found, action.forbidden */
export async function endEnrolment(context: Context, id: string): Promise<void> {
  const { db, actor, now } = context;
  const { investigationId: investigation } = await readEnrolment(context, id);
  const read = () => [selectEnrolment(db, actor, id)] as const;
  await logged(context, investigation, read, async ([[enrolment]], write) => {
    requireEditor(enrolment, handlesCodes, 'enrolment');
    if (enrolment.endedAt !== null) return;
    const details = { enrolment: id, before: { endedAt: null }, after: { endedAt: instant(now) } };
    await write({ investigation, action: 'enrolment.ended', details }, [
      db.update(enrolments).set({ endedAt: now }).where(eq(enrolments.id, id)),
    ]);
  });
}

const instant = (at: number) => new Date(at).toISOString();
