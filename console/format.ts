/* Times and numbers as people read them. A time always names its zone. */

const viewerLocale = /^en\b/.test(navigator.language) ? navigator.language : 'en-GB';

export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** By locale, zone and options: making a formatter takes longer than formatting a page of times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const format = (
  at: Date,
  zone: string,
  options: Intl.DateTimeFormatOptions,
  locale = viewerLocale,
): string => {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? formatterOf(zone, options, locale);
  formatters.set(key, known);
  return known.format(at);
};

/** A zone that this browser's tz database lacks is shown in UTC, and says so. */
function formatterOf(zone: string, options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}

/** The service gives times of revisions in Unix seconds. */
export const fromUnix = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** "22 Nov 2026, 10:51 CET" */
export const formatTime = (iso: string, zone = viewerZone): string =>
  format(new Date(iso), zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });

/** The same with seconds and the name of the zone, for the tooltip. */
export const formatExactTime = (iso: string, zone = viewerZone): string =>
  `${format(new Date(iso), zone, { dateStyle: 'full', timeStyle: 'medium' })}, ${zone}`;

/** "10:51 CET": beside its date. */
export const formatClock = (iso: string, zone = viewerZone): string =>
  format(new Date(iso), zone, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });

/** A message of the service, with its instants as people read them. */
export const withClocks = (text: string, zone = viewerZone): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => formatTime(at, zone));

/** A calendar date, which has no zone: "Mon 1 Mar 2027" */
export const formatDate = (date: string): string =>
  format(new Date(`${date}T00:00:00Z`), 'UTC', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });

/** The short form for rows of dates: "1 Mar" */
export const formatShortDate = (date: string): string =>
  format(new Date(`${date}T00:00:00Z`), 'UTC', { day: 'numeric', month: 'short' });

/** The short form for columns of dates: "Mar" */
export const formatMonth = (date: string): string =>
  format(new Date(`${date}T00:00:00Z`), 'UTC', { month: 'short' });

/** The form for years of dates: "Mar 2027" */
export const formatMonthYear = (date: string): string =>
  format(new Date(`${date}T00:00:00Z`), 'UTC', { month: 'short', year: 'numeric' });

/** The date in a zone, now: "2027-03-01" */
export const todayIn = (zone: string): string =>
  format(new Date(), zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE');

const dayMs = 86_400_000;

/** Text of an address may be any. */
export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The date this many days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The days from one date to another, both included. */
export const daysFrom = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Each date from one to another, both included. */
export const datesFrom = (from: string, to: string): string[] =>
  Array.from({ length: daysFrom(from, to) }, (_, n) => addDays(from, n));

/** "5 minutes ago", "in 2 hours" */
export function formatDistance(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = units.find(([, from]) => Math.abs(seconds) >= from) ?? (['second', 1] as const);
  return relative.format(Math.round(seconds / size), unit);
}

const relative = new Intl.RelativeTimeFormat(viewerLocale, { numeric: 'auto' });
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const numbers = new Intl.NumberFormat(viewerLocale);
export const formatNumber = (n: number): string => numbers.format(n);

const shares = new Intl.NumberFormat('en-GB', { style: 'percent' });
/** "64%" */
export const formatShare = (part: number, whole: number): string => shares.format(part / whole);

/** "310 kB", "1.2 MB" */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1000))} kB`
    : `${formatNumber(Math.round(bytes / 100_000) / 10)} MB`;

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });
/** "a, b and c" */
export const formatList = (items: readonly string[]): string => conjunction.format(items);

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });
/** "a, b or c" */
export const formatChoice = (items: readonly string[]): string => disjunction.format(items);

const plurals = new Intl.PluralRules('en');

/** "1 case", "1,204 cases" */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${formatNumber(n)} ${plurals.select(n) === 'one' ? one : many}`;

export const zones: string[] = Intl.supportedValuesOf('timeZone');
