import { offsetAt, offsetChanges, slowMoment, wallAt } from './clock.ts';

/*
 * Reminders that follow responses, by decision 28 alone. Instants are epoch ms.
 */

export interface SlowTrigger {
  /** Minutes. */
  after: number;
  /** `HH:MM`. */
  at?: string | undefined;
}

const dayMs = 86_400_000;
const offsets = new Map<string, number[]>();

/** The offsets of a zone in the month before and the one after, by month. */
function offsetsAround(at: number, zone: string): number[] {
  const month = Math.floor(at / (30 * dayMs));
  const key = `${zone} ${month}`;
  const known = offsets.get(key);
  if (known) return known;
  const [from, to] = [(month - 1) * 30 * dayMs, (month + 2) * 30 * dayMs];
  const found = [...new Set([from, ...offsetChanges(zone, from, to)].map((one) => offsetAt(one, zone)))];
  offsets.set(key, found);
  return found;
}

/** The due time after a response: of the dates around it the first one whose time has not passed by then. */
export function slowDue({ after, at }: SlowTrigger, given: number, zone: string): number {
  const from = given + after * 60_000;
  if (at === undefined) return from;
  const day = Date.parse(wallAt(from, zone).slice(0, 10));
  const times = [-1, 0, 1, 2].map((days) => {
    const date = new Date(day + days * dayMs).toISOString().slice(0, 10);
    return slowMoment(date, at, zone, offsetsAround(from, zone)).at;
  });
  return Math.min(...times.filter((time) => time >= from));
}

/** The trigger of reminders, as set. */
export interface SlowFollowing extends SlowTrigger {
  survey: string;
  /** By item, the answers of which one is given. */
  where?: Record<string, string[]> | undefined;
  each?: boolean | undefined;
}

/** A response that is there, as it is answered now. `given` in epoch ms. */
export interface SlowResponse {
  id: string;
  given: number;
  items: Record<string, string>;
}

export const fits = ({ where = {} }: SlowFollowing, items: Record<string, string>): boolean =>
  Object.entries(where).every(([item, answers]) => answers.some((answer) => answer === items[item]));

export const inOrder = (a: SlowResponse, b: SlowResponse): number =>
  a.given === b.given ? (a.id < b.id ? -1 : 1) : a.given - b.given;

/** One person and one survey with triggered reminders. */
export interface Following {
  trigger: SlowFollowing;
  /** The person's responses to the survey that triggers, those that are there. */
  responses: readonly SlowResponse[];
  /** The identifiers of those whose reminder was settled for good, whatever the reminders were then. */
  settled: ReadonlySet<string>;
  timeZone: string;
  /** Epoch ms: only what is due after it exists. */
  since: number;
}

/** The reminders that are owed, in the order of their responses. */
export function slowOwed({ trigger, responses, settled, timeZone, since }: Following) {
  const fitting = responses.filter(({ items }) => fits(trigger, items)).toSorted(inOrder);
  const first = trigger.each === false ? fitting.slice(0, 1) : fitting;
  // Somebody who was reminded of a response that is gone now has had their first one.
  const isOver = trigger.each === false && [...settled].some((id) => id !== first[0]?.id);
  if (isOver) return [];
  return first
    .filter(({ id }) => !settled.has(id))
    .map(({ id, given }) => ({ response: id, dueAt: slowDue(trigger, given, timeZone) }))
    .filter(({ dueAt }) => dueAt > since);
}

/** In a circle of surveys that trigger each other, one that waits for less than five minutes, if there is such a circle. */
export function fastCircle(triggers: ReadonlyMap<string, SlowFollowing>): string | null {
  for (const start of triggers.keys()) {
    const line: string[] = [];
    for (let survey = start; triggers.has(survey) && !line.includes(survey); ) {
      line.push(survey);
      survey = triggers.get(survey)?.survey ?? '';
    }
    const closes = triggers.get(line.at(-1) ?? '')?.survey === start;
    const fast = line.find((one) => (triggers.get(one)?.after ?? 0) < 5);
    if (closes && fast !== undefined) return fast;
  }
  return null;
}
