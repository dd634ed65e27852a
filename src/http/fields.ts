import * as z from 'zod';
import { endOfDay, isDate, isWallTime } from '../schedule/civil.ts';
import { isLanguageTag } from '../schedule/languages.ts';
import { isZoneName } from '../schedule/zones.ts';
import type { Signature } from './openapi/shapes.ts';
import { bounded } from './validation.ts';

/** An IANA name, spelled as in the time zone database. */
export const timeZone = bounded(100, 'Expected an IANA time zone, such as Europe/Paris.')
  .refine(isZoneName, 'Expected the exact name of an IANA time zone, such as Europe/Paris, not an offset.')
  .meta({
    description:
      'The exact name of a zone or a link of the IANA tz database, in the release that `/health` names: `Asia/Calcutta` and `US/Eastern`, too.',
    examples: ['Europe/Paris'],
  });

export const date = bounded(10, 'Expected a date: YYYY-MM-DD.')
  .refine(isDate, 'Expected a date that exists, as YYYY-MM-DD.')
  .meta({ format: 'date', examples: ['2027-03-01'] });

const expectedDateName =
  'Expected a name of 1 to 40 letters, digits, spaces or _ . -, with a letter or digit at both ends.';

/** Every object has properties of such a name. */
const isFree = (name: string) => !(name in {});

/** The name of a date that each member of a study may have. */
export const dateName = bounded(40, expectedDateName)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_. -]*[\p{L}\p{M}\p{N}])?$/u, expectedDateName)
  .refine(isFree, 'Expected another name: this one is not possible.')
  .meta({ examples: ['surgery'] });

/** Dates by their names. */
export const ownDates = <Value extends z.ZodType>(value: Value) =>
  z
    .record(dateName, value, { error: 'Expected a map from the name of a date to the date.' })
    .refine((dates) => Object.keys(dates).length <= maxDates, `Expected at most ${maxDates} dates.`);

/** Dates that a study may declare. */
export const maxDates = 10;

/** Properties that a study may declare, and values of each. */
const maxProperties = 10;
const maxValues = 200;

export const propertyName = dateName.meta({ examples: ['site'] });

const expectedValue = 'Expected a value of 1 to 60 characters, without line breaks and invisible characters.';

/** A value of a property. */
export const propertyValue = bounded(60, expectedValue)
  .refine(
    (value) =>
      value !== '' &&
      value.trim() === value &&
      value.isWellFormed() &&
      !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value),
    expectedValue,
  )
  .meta({ examples: ['lyon'] });

/** Values, or null, by the names of properties. */
export const ownProperties = <Value extends z.ZodType>(value: Value) =>
  z
    .record(propertyName, value, { error: 'Expected a map from the name of a property to its value.' })
    .refine(
      (given) => Object.keys(given).length <= maxProperties,
      `Expected at most ${maxProperties} properties.`,
    );

export const givenProperties = ownProperties(propertyValue).meta({
  description: 'Values of the properties that the study declares.',
  examples: [{ site: 'lyon' }],
});

/** Those who have one of the values of each name. */
export const propertyRule = z
  .record(
    propertyName,
    z
      .array(propertyValue, { error: 'Expected a list of values.' })
      .min(1, 'Expected at least one value.')
      .max(maxValues, `Expected at most ${maxValues} values.`)
      .refine((values) => new Set(values).size === values.length, 'Expected each value once.'),
    { error: 'Expected a map from the name of a property to a list of its values.' },
  )
  .refine(
    (rule) => Object.keys(rule).length >= 1 && Object.keys(rule).length <= maxProperties,
    `Expected 1 to ${maxProperties} properties.`,
  )
  .meta({ examples: [{ site: ['lyon'] }] });

const expectedProperties = `Expected at most ${maxProperties} properties, each name once.`;

/** The properties that a study declares. */
export const declaredProperties = z
  .array(
    z.strictObject(
      {
        name: propertyName,
        values: z
          .array(propertyValue, { error: 'Expected a list of values.' })
          .min(1, 'Expected at least one value.')
          .max(maxValues, `Expected at most ${maxValues} values.`)
          .refine((values) => new Set(values).size === values.length, 'Expected each value once.'),
        blinded: z
          .boolean({ error: 'Expected true or false.' })
          .optional()
          .transform((blinded) => blinded || undefined)
          .meta({ description: 'Only owners see it, and surveys that are for some of its values.' }),
      },
      { error: 'Expected a name and values.' },
    ),
    { error: expectedProperties },
  )
  .max(maxProperties, expectedProperties)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, expectedProperties);

/** The first and the last date of somebody's time in a study. */
export const participation = z
  .strictObject(
    { from: date.optional(), until: date.optional() },
    { error: 'Expected from and until, as YYYY-MM-DD, or null.' },
  )
  .refine(({ from, until }) => from !== undefined || until !== undefined, 'Expected from, until or both.')
  .refine(({ from, until }) => from === undefined || until === undefined || from <= until, {
    path: ['until'],
    error: 'Expected a date that is not before from.',
  })
  .meta({
    description:
      "The first and the last date on which a person takes part, both included, on the clock of the reminders: the person's, or that of the study. Reminders of other dates do not come. Without `until` the study's `participationDays` end it, counted from the day of joining, or from `from` where that is later.",
    examples: [{ from: '2027-03-01', until: '2027-04-11' }],
  });

export const wallTime = bounded(5, 'Expected a time: HH:MM, 24 hours.')
  .refine(isWallTime, 'Expected a time from 00:00 to 23:59, as HH:MM.')
  .meta({ pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['21:30'] });

/** The end of a stretch of a day. */
export const wallEnd = bounded(5, 'Expected a time: HH:MM, 24 hours.')
  .refine((text) => text === endOfDay || isWallTime(text), 'Expected a time from 00:01 to 24:00, as HH:MM.')
  .meta({ pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', examples: ['24:00'] });

export const quietHours = z
  .strictObject({ from: wallTime, to: wallTime }, { error: 'Expected from and to, as HH:MM, or null.' })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'Expected a time other than from.' })
  .meta({
    description:
      "By the user's clock; they may span midnight. A reminder that falls due in quiet hours waits until they end, and is skipped if it has expired by then.",
    examples: [{ from: '22:00', to: '07:00' }],
  });

const expectedTag = 'Expected a language tag of BCP 47, such as fr or pt-BR.';
export const languageTag = bounded(100, expectedTag)
  .refine(isLanguageTag, expectedTag)
  .meta({ examples: ['fr-CA'] });

/** The last instant whose year has four digits. An offset can lead past it. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

const expectedInstant = 'Expected an instant in ISO 8601, such as 2026-03-29T01:30:00.000Z.';

/** An instant in ISO 8601 with an offset; parsed to epoch milliseconds. */
export const instant = bounded(40, expectedInstant)
  .check(z.iso.datetime({ offset: true, error: expectedInstant, abort: true }))
  .refine((text) => !(Date.parse(text) > lastInstant), 'Expected an instant before the year 10000.')
  .transform((text) => Date.parse(text))
  .meta({ examples: ['2027-03-29T01:30:00.000Z'] });

const expectedCode = 'Expected a code of 1 to 40 characters, without line breaks and invisible characters.';

/** With white space around it, and with its accents apart. */
const longestTypedCode = 200;

/** A member's code in a study, without surrounding white space and in NFC, so that codes that look the same are equal. */
export const memberCode = bounded(longestTypedCode, expectedCode)
  .transform((text) => text.trim().normalize('NFC'))
  .refine(
    (code) =>
      code !== '' &&
      [...code].length <= 40 &&
      code.isWellFormed() &&
      !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(code),
    expectedCode,
  )
  .meta({ examples: ['P-017'] });

const expectedItem = 'Expected 1 to 100 letters, digits or _ . : -';
export const itemIdentifier = bounded(100, 'Expected the identifier of an item.', expectedItem).regex(
  /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/,
  expectedItem,
);

export const itemStatus = z.enum(['active', 'archived'], { error: 'Expected active or archived.' });

export const iso = (ms: number) => new Date(ms).toISOString();
export const unixSeconds = (ms: number) => Math.floor(ms / 1000);

/** A locked item has `lockedAt` and no `status`; every other item has `status`. */
export function lockState({ lockedAt, lockSignature, lock, archivedAt, deletedAt = null }: ItemState) {
  if (lockedAt !== null)
    return {
      lockedAt: iso(lockedAt),
      ...(lockSignature && { lockSignature }),
      ...(lock && { lock: shownLock(lock) }),
    };
  if (deletedAt !== null) return { status: 'deleted' as const };
  return { status: archivedAt === null ? ('active' as const) : ('archived' as const) };
}

const shownLock = ({ activity, actor, actorName, code, reason }: LockEntry) => ({
  activity,
  actor,
  actorName: actorName ?? '',
  ...(code !== null && { code }),
  ...(reason !== null && { reason }),
});

/** The author and the reason of a lock, as cells of a table. */
export const lockColumns = ['lockedBy', 'lockReason'];
export const lockCells = ({ lockedAt, lock }: ItemState) =>
  lockedAt !== null && lock ? [lock.actorName ?? '', lock.reason ?? ''] : ['', ''];

/** The properties of a case or a person, if the reader sees some. */
export const groupState = ({ properties }: { properties?: Readonly<Record<string, string>> | null }) =>
  properties ? { properties: { ...properties } } : {};

/** When a response was given, as the phone reports, and when it was received; empty without a report. */
export const givenState = ({ givenAt, createdAt }: { givenAt: number | null; createdAt: number }) =>
  givenAt === null ? {} : { givenAt: iso(givenAt), receivedAt: iso(createdAt) };

/** The reminder that a response answers; nothing for a response without one to a survey that is answered at any time. */
export const answerState = ({ notification, late }: { notification: string | null; late: number | null }) =>
  late === null ? {} : { notification, late: late === 1 };

/** The mark of a response to items that the survey had earlier. */
export const outdatedState = ({ outdated }: { outdated: number }) =>
  outdated === 1 ? { outdated: true as const } : {};

interface LockEntry {
  activity: string;
  actor: string;
  actorName: string | null;
  code: string | null;
  reason: string | null;
}

export interface ItemState {
  lockedAt: number | null;
  /** Only read for readers of the activity log. */
  lockSignature?: Signature | null;
  /** Only read for readers of the activity log who ask for it. */
  lock?: LockEntry | null;
  archivedAt: number | null;
  /** Only lists of deleted items have it. */
  deletedAt?: number | null;
}

export const avatarPath = (user: string) => `/user/${user}/avatar`;
