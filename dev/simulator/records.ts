import type { ScenarioFile } from './scenario.ts';

/** A value over time, as those who change it know it: between request and answer it may be the old or the new one. */
export interface Timeline<T> {
  /** Notes a change requested at `at`. Call the result once the change is certain. */
  change(value: T, at: number): (sureAt: number) => void;
  /** All values that it may have had between two instants. */
  possible(from: number, until: number): T[];
  last(): T;
}

export function timeline<T>(first: T): Timeline<T> {
  const entries = [{ value: first, from: Number.NEGATIVE_INFINITY, sure: Number.NEGATIVE_INFINITY }];
  return {
    change(value, at) {
      const entry = { value, from: at, sure: Number.POSITIVE_INFINITY };
      entries.push(entry);
      return (sureAt) => {
        entry.sure = sureAt;
      };
    },
    possible: (from, until) =>
      entries
        .filter((entry, n) => entry.from <= until && !entries.slice(n + 1).some(({ sure }) => sure <= from))
        .map(({ value }) => value),
    last: () => entries.at(-1)?.value as T,
  };
}

export interface Phone {
  name: string;
  token: string;
  platform: string;
  timeZone: string;
  /** The device's identifier at the server, once it is known. */
  id: string | null;
}

/** The simulator's own record of a member, by which it checks what was sent. */
export interface MemberRecord {
  name: string;
  id: string;
  signedUp: boolean;
  deleted: boolean;
  role: string;
  phones: Phone[];
  member: Timeline<boolean>;
  home: Timeline<string | null>;
  /** The zone of the phone last seen. */
  away: Timeline<string | null>;
  time: Timeline<string | null>;
  quietHours: Timeline<{ from: string; to: string } | null>;
  /** Epoch ms. */
  pausedUntil: Timeline<number | null>;
  /** Their pause of the study, epoch ms. It ends with the membership. */
  studyPausedUntil: Timeline<number | null>;
  tokens: Timeline<readonly string[]>;
  answers: (Requested & { survey: string })[];
  opens: (Requested & { notification: string })[];
  snoozes: Snooze[];
  /** What their phones told to have shown. */
  reports: (Requested & { notifications: string[] })[];
}

/** When something was requested and when it was certain: in true time, and by the server's clock. */
export interface Requested {
  from: number;
  sure: number;
  fromNow: number;
  sureNow: number;
}

/** One request, of which the answer may have been lost. */
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
  reminders: Timeline<{ revision: number; given: GivenReminders }>;
  archived: Timeline<boolean>;
}

/** Everything that the simulated people have done. */
export interface Records {
  study: {
    id: string;
    founder: string;
    timeZone: Timeline<string>;
    startsOn: Timeline<string>;
    archived: Timeline<boolean>;
    frozen: Timeline<boolean>;
  };
  members: Map<string, MemberRecord>;
  surveys: Map<string, SurveyRecord>;
}

export const newMember = (name: string, role: string): MemberRecord => ({
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
  tokens: timeline<readonly string[]>([]),
  answers: [],
  opens: [],
  snoozes: [],
  reports: [],
});
