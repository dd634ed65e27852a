import type { GivenTime } from './oracle/course.ts';
import type { DeclaredProperty, Rule, Values } from './oracle/groups.ts';
import type { ScenarioFile } from './scenario.ts';

/** A value over time, as known to the people who change it: between request and answer it may be the old or the new one. */
export interface Timeline<T> {
  /** Notes a change requested at `at`. Call the result when it is answered: from then on it is certain, or over if refused. */
  change(value: T, at: number): (answeredAt: number, done?: boolean) => void;
  /** All values that it may have had between two instants. */
  possible(from: number, until: number): T[];
  last(): T;
}

/** In true time, epoch ms. A change without an answer is neither certain nor refused. */
interface Change<T> {
  value: T;
  from: number;
  sureAt?: number;
  refusedAt?: number;
}

export function timeline<T>(first: T): Timeline<T> {
  const changes: Change<T>[] = [
    { value: first, from: Number.NEGATIVE_INFINITY, sureAt: Number.NEGATIVE_INFINITY },
  ];
  return {
    change(value, at) {
      const change: Change<T> = { value, from: at };
      changes.push(change);
      return (answeredAt, done = true) => {
        change[done ? 'sureAt' : 'refusedAt'] = answeredAt;
      };
    },
    possible: (from, until) =>
      changes
        .filter((one, n) => one.from <= until && !changes.slice(n + 1).some(replaces(one, from)))
        .filter(({ refusedAt }) => refusedAt === undefined || refusedAt > from)
        .map(({ value }) => value),
    last: () => changes.findLast(({ refusedAt }) => refusedAt === undefined)?.value as T,
  };
}

/** A later change that was certain by then; of two concurrent changes either may be the last. */
const replaces =
  (earlier: Change<unknown>, from: number) =>
  ({ sureAt }: Change<unknown>): boolean =>
    sureAt !== undefined && sureAt <= from && (earlier.sureAt === undefined || earlier.sureAt <= sureAt);

export interface Phone {
  name: string;
  token: string;
  platform: string;
  timeZone: string;
  /** The device's identifier at the server, once it is known. */
  id: string | null;
  /** The app was uninstalled from it. */
  isGone?: boolean;
}

/** The simulator's own record of a member, against which pushes are checked. */
export interface MemberRecord {
  name: string;
  id: string;
  signedUp: boolean;
  deleted: boolean;
  role: string;
  phones: Phone[];
  member: Timeline<boolean>;
  home: Timeline<string | null>;
  /** The zone of the phone whose zone changed last. */
  away: Timeline<string | null>;
  time: Timeline<string | null>;
  quietHours: Timeline<{ from: string; to: string } | null>;
  /** Epoch ms. */
  pausedUntil: Timeline<number | null>;
  /** Their pause of the study, epoch ms. It ends with the membership. */
  studyPausedUntil: Timeline<number | null>;
  /** Dates of their own in the study, by name, and their own time there. They end with the membership. */
  dates: Timeline<Readonly<Record<string, string>>>;
  participation: Timeline<GivenTime>;
  /** Their properties in the study. A former member who comes back has them again. */
  properties: Timeline<Values>;
  /** The part of the study that an editor or a monitor sees. Null: all of it. */
  scope: Rule | null;
  tokens: Timeline<readonly string[]>;
  answers: AnswerRecord[];
  /** Answers that named a reminder, also those that were set aside. */
  named: Set<string>;
  opens: (Requested & { notification: string })[];
  snoozes: Snooze[];
  /** The notifications that their phones reported as shown. */
  reports: (Requested & { notifications: string[] })[];
}

/** One response, under an identifier that its phone chose. Its times are those at which it was given. */
export interface AnswerRecord extends Requested {
  survey: string;
  id: string;
  /** As its phone sends it, each time. */
  body: Record<string, unknown>;
  items: Timeline<Record<string, string>>;
  deleted: Timeline<boolean>;
}

/** When something was requested and when it was certain: in true time, and by the server's clock. */
export interface Requested {
  from: number;
  sure: number;
  fromNow: number;
  sureNow: number;
}

/** One request, whose answer may have been lost. */
export interface Snooze extends Requested {
  notification: string;
  minutes: number;
  /** As answered, epoch ms. */
  nextAt?: number;
  /** The code of the problem that answered it. */
  refused?: string;
}

export type GivenReminders = ScenarioFile['surveys'][number]['reminders'];

export interface SurveyRecord {
  name: string;
  id: string;
  reminders: Timeline<{ revision: number; given: GivenReminders; again: boolean }>;
  archived: Timeline<boolean>;
  /** Those who take it. Null: everybody. */
  for: Timeline<Rule | null>;
}

/** Everything that the simulated people have done. */
export interface Records {
  study: {
    id: string;
    founder: string;
    timeZone: Timeline<string>;
    startsOn: Timeline<string>;
    participationDays: Timeline<number | null>;
    archived: Timeline<boolean>;
    frozen: Timeline<boolean>;
    properties: readonly DeclaredProperty[];
  };
  members: Map<string, MemberRecord>;
  surveys: Map<string, SurveyRecord>;
  /** How often the staff looked around, and what they saw that they must not, or missed. */
  looks: { done: number; wrong: string[] };
}

export const newMember = (name: string, role: string, scope: Rule | null = null): MemberRecord => ({
  name,
  id: '',
  signedUp: false,
  deleted: false,
  role,
  phones: [],
  member: timeline(false),
  home: timeline<string | null>(null),
  away: timeline<string | null>(null),
  time: timeline<string | null>(null),
  quietHours: timeline<{ from: string; to: string } | null>(null),
  pausedUntil: timeline<number | null>(null),
  studyPausedUntil: timeline<number | null>(null),
  dates: timeline<Readonly<Record<string, string>>>({}),
  participation: timeline<GivenTime>(null),
  properties: timeline<Values>({}),
  scope,
  tokens: timeline<readonly string[]>([]),
  answers: [],
  named: new Set(),
  opens: [],
  snoozes: [],
  reports: [],
});
