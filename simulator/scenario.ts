import * as z from 'zod';
import { isDate, isWallTime } from '../src/schedule/civil.ts';
import { isZoneName } from '../src/schedule/zones.ts';

/** The points at which the process can die. */
export const crashPoints = [
  'now',
  'before-publish',
  'after-publish',
  'before-commit',
  'after-commit',
  'before-arming',
  'before-enqueue',
  'after-enqueue',
] as const;

/** An instant with its offset, such as `2027-03-21T08:00:00+01:00`. Becomes epoch ms. */
const instant = z.iso
  .datetime({
    offset: true,
    error: 'Expected an instant with its offset, such as 2027-03-21T08:00:00+01:00.',
  })
  .transform((text) => Date.parse(text));
const name = z.string({ error: 'Expected a name.' }).min(1, 'Expected a name.').max(100);
const timeZone = z
  .string({ error: 'Expected an IANA time zone, such as Europe/Paris.' })
  .refine(isZoneName, 'Expected the exact name of an IANA time zone, such as Europe/Paris.');
const date = z.string().refine(isDate, 'Expected a date: YYYY-MM-DD.');
const time = z.string().refine(isWallTime, 'Expected a time: HH:MM.');
const quietHours = z.strictObject({ from: time, to: time });
const share = z.number().gt(0).max(1, 'Expected a share above 0 and up to 1.').default(1);
const ms = z.int().min(0).max(600_000, 'Expected milliseconds, at most 10 minutes.').default(1000);
/** Passed on unchecked: the application reports errors in it. The survey of a trigger is given by its name. */
const reminders = z.record(z.string(), z.unknown()).nullable();

const phone = z.strictObject({
  name,
  platform: z.enum(['android', 'ios'], { error: 'Expected android or ios.' }).default('android'),
  timeZone,
});
const minutes = z.array(z.int().min(0)).min(1, 'Expected at least one number of minutes.');
/** The share of pushes that are answered, opened or snoozed, how many minutes after the push, and for how many minutes. */
const habits = z.strictObject({ share, after: minutes.default([0, 30]), snooze: minutes.default([5, 30]) });
/** By name; null takes one away. */
const dates = z.record(name, date.nullable());
/** First and last day in the study; null: those of the study. */
const participation = z.strictObject({ from: date.optional(), until: date.optional() }).nullable();
const participationDays = z.int().min(1).nullable();
/** Values by the names of properties; null takes one away. */
const properties = z.record(name, name.nullable());
/** People fit who have one of the values of each name. */
const rule = z.record(name, z.array(name));
const declared = z.strictObject({ name, values: z.array(name).min(1), blinded: z.literal(true).optional() });
const member = z.strictObject({
  name,
  role: z.enum(['owner', 'editor', 'monitor', 'responder']).default('responder'),
  timeZone: timeZone.optional(),
  customRemindersTime: time.optional(),
  quietHours: quietHours.optional(),
  habits: habits.optional(),
  phones: z.array(phone).default([]),
  /** Absent: from the start. Null: when an event says so. */
  joins: instant.nullable().optional(),
  /** The surveys that the member downloads on joining. */
  downloads: z.array(name).default([]),
  /** The dates and the time that the founder sets once the member has joined. */
  dates: dates.optional(),
  participation: participation.optional(),
  /** The properties that the founder gives them, and the part of the study that an editor or a monitor sees. */
  properties: z.record(name, name).optional(),
  scope: rule.optional(),
});

const does = <D extends string, S extends z.ZodRawShape>(verb: D, shape: S) =>
  z.strictObject({ at: instant, who: name, does: z.literal(verb), ...shape });
/** Absent: all reminders. */
const onlyStudy = z.boolean().default(false);
const event = z.discriminatedUnion(
  'does',
  [
    does('joins', {}),
    does('leaves', {}),
    does('deletes-account', {}),
    does('downloads', { survey: name }),
    /**
     * `q1` is the answer to the survey's only item, given so many minutes ago on a phone that was offline. `names`: to the
     * notification of the survey that their phones got last.
     */
    does('answers', {
      survey: name,
      q1: z.string().default(''),
      minutesAgo: z.int().min(0).default(0),
      names: z.boolean().default(false),
    }),
    /** Changes of one of their answers, counted back from the last one to the survey. */
    does('edits-answer', { survey: name, q1: z.string(), nth: z.int().min(0).default(0) }),
    does('deletes-answer', { survey: name, nth: z.int().min(0).default(0) }),
    does('restores-answer', { survey: name, nth: z.int().min(0).default(0) }),
    does('repeats-answer', { survey: name, nth: z.int().min(0).default(0) }),
    /** The notification of the survey that their phones got last. */
    does('opens', { survey: name }),
    /** The same notification, or the one before it. */
    does('snoozes', { survey: name, minutes: z.int().default(30), older: z.boolean().default(false) }),
    /** Their phone was offline, and reports all that it showed. */
    does('reports', {}),
    does('travels', { to: timeZone }),
    does('chooses-time', { time: time.nullable() }),
    does('chooses-quiet-hours', { quietHours: quietHours.nullable() }),
    does('moves-home', { to: timeZone.nullable() }),
    does('pauses', { until: instant.nullable(), onlyStudy }),
    does('resumes', { onlyStudy }),
    does('gets-phone', { phone }),
    does('deletes-phone', { phone: name }),
    does('uninstalls-app', { phone: name }),
    does('takes-phone', { phone: name, of: name }),
    does('new-token', { phone: name }),
    does('edits-reminders', { survey: name, reminders, again: z.boolean().default(false) }),
    does('archives-survey', { survey: name }),
    does('restores-survey', { survey: name }),
    does('changes-study', {
      startsOn: date.optional(),
      timeZone: timeZone.optional(),
      participationDays: participationDays.optional(),
    }),
    /** Dates and the time of a member, set by `who`. */
    does('moves-dates', { of: name, dates: dates.default({}), participation: participation.optional() }),
    /** Properties of a member, set by `who`. */
    does('changes-properties', { of: name, properties }),
    /** The people who take a survey. */
    does('changes-for', { survey: name, for: rule.nullable() }),
    does('archives-study', {}),
    does('restores-study', {}),
    does('freezes-study', {}),
    does('unfreezes-study', {}),
  ],
  { error: 'Expected one of the things that people do: joins, leaves, downloads, answers, travels, ...' },
);

const window = { from: instant, until: instant, share };
const fault = z.discriminatedUnion(
  'what',
  [
    z.strictObject({
      what: z.literal('relay'),
      is: z.enum(['down', 'throttled', 'slow', 'misconfigured']),
      ms,
      ...window,
    }),
    z.strictObject({
      what: z.literal('database'),
      is: z.enum(['overloaded', 'lost-before-commit', 'lost-after-commit', 'timeout', 'slow', 'full']),
      ms,
      ...window,
    }),
    z.strictObject({
      what: z.literal('alarms'),
      /** Alarms that are held ring together at the end. */
      is: z.enum(['lost', 'stuck', 'late', 'held', 'twice']),
      ms,
      ...window,
    }),
    z.strictObject({ what: z.literal('sweeps'), is: z.enum(['lost', 'twice']), ...window }),
    z.strictObject({
      what: z.literal('crash'),
      at: instant,
      point: z.enum(crashPoints).default('now'),
      downSeconds: z.number().min(0).max(86_400).default(2),
    }),
    z.strictObject({
      what: z.literal('clock'),
      at: instant,
      minutes: z.number().min(-1440).max(1440),
      /** When it is right again. Absent: never. */
      until: instant.optional(),
    }),
    z.strictObject({ what: z.literal('deploy'), at: instant }),
    z.strictObject({
      what: z.literal('zones'),
      at: instant,
      timeZone,
      minutes: z.int().min(-1440).max(1440).default(60),
    }),
  ],
  { error: 'Expected one of the faults: relay, database, alarms, sweeps, crash, clock, deploy, zones.' },
);

const scenario = z
  .strictObject({
    name: z.string().default('a study'),
    seed: z.int().min(0).max(0xffffffff).default(1),
    from: instant,
    until: instant,
    study: z.strictObject({
      timeZone: timeZone.default('UTC'),
      startsOn: date.optional(),
      /** The names of members' dates. */
      dates: z.array(name).optional(),
      participationDays: participationDays.optional(),
      properties: z.array(declared).optional(),
    }),
    surveys: z
      .array(z.strictObject({ name, reminders, for: rule.nullable().optional() }))
      .min(1, 'Expected at least one survey.'),
    members: z.array(member).min(1, 'Expected at least one member.'),
    events: z.array(event).default([]),
    faults: z.array(fault).default([]),
    /** The time of a push and of a round trip to the database without faults. */
    latency: z
      .strictObject({ relayMs: ms.default(0), databaseMs: ms.default(0) })
      .default({ relayMs: 0, databaseMs: 0 }),
    /** One durable alarm for each user, as on Cloudflare, or one timer for all, as on Node and Deno. */
    alarms: z.enum(['objects', 'timer']).default('objects'),
    /** Whether the hourly repair runs. */
    reconcile: z.boolean().default(true),
  })
  .superRefine(checkNames);

/** A study, checked. Instants are epoch ms. */
export type Scenario = z.output<typeof scenario>;
/** A study as its file describes it. */
export type ScenarioFile = z.input<typeof scenario>;
export type Event = Scenario['events'][number];
export type Fault = Scenario['faults'][number];
export type Habits = z.output<typeof habits>;
export type MemberSpec = Scenario['members'][number];

/** The faults in the description of a study, one per line. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/** @throws ScenarioError that says where each fault is and which value is expected there */
export function readScenario(value: unknown): Scenario {
  const parsed = scenario.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `/${issue.path.join('/')}: ${issue.message}`);
  throw new ScenarioError(lines.join('\n'));
}

interface Named {
  from: number;
  until: number;
  surveys: { name: string; reminders: Record<string, unknown> | null }[];
  members: { name: string; downloads: string[]; phones: { name: string }[] }[];
  events: { who: string; survey?: string; of?: string; at: number }[];
}

function checkNames(study: Named, ctx: z.RefinementCtx) {
  const refuse = (message: string, ...path: (string | number)[]) =>
    ctx.addIssue({ code: 'custom', path, message });
  const surveys = study.surveys.map((survey) => survey.name);
  const members = study.members.map((one) => one.name);
  const known = (kind: string, names: string[], given: string | undefined, ...path: (string | number)[]) => {
    if (given !== undefined && !names.includes(given))
      refuse(`There is no ${kind} '${given}': expected one of ${names.join(', ')}.`, ...path);
  };
  if (study.until <= study.from) refuse('Expected an instant after `from`.', 'until');
  for (const [list, names] of Object.entries({ surveys, members }))
    if (new Set(names).size < names.length) refuse('Expected each name once.', list);
  study.surveys.forEach(({ reminders }, n) => {
    const { survey } = (reminders?.trigger ?? {}) as { survey?: string };
    known('survey', surveys, survey, 'surveys', n, 'reminders', 'trigger', 'survey');
  });
  study.members.forEach((one, m) => {
    one.downloads.forEach((survey, n) => {
      known('survey', surveys, survey, 'members', m, 'downloads', n);
    });
  });
  study.events.forEach((one, n) => {
    known('member', [...members, 'the team'], one.who, 'events', n, 'who');
    known('survey', surveys, one.survey, 'events', n, 'survey');
    known('member', members, one.of, 'events', n, 'of');
    if (one.at < study.from || one.at > study.until)
      refuse('Expected an instant between `from` and `until`.', 'events', n, 'at');
  });
}
