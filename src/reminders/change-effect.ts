import type { Context } from '../context.ts';
import { nextOccurrence, occurrences } from '../schedule/occurrences.ts';
import type { StoredReminders } from '../studies/survey-schema.ts';
import { type ReminderRow, toReminders, type UserReminders } from './state.ts';
import { comingSince } from './upcoming.ts';

/** New reminders of a survey that are not set yet, and the people to look at. */
export interface PlannedChange {
  reminders: StoredReminders | null;
  again: boolean;
  /** Epoch ms: occurrences after it are compared. Now, if it is earlier. */
  from?: number | undefined;
  /** People that are shown: the slice ends with the last of them. 0: nobody, of a whole slice. */
  limit: number;
  /** The last member of the slice before. */
  after?: string | undefined;
}

/** The next occurrences of somebody before and after the change, epoch ms. */
export interface Concerned {
  user: string;
  before: number[];
  after: number[];
}

/** The effect of a change on a slice of the people. */
export interface Effect {
  /** People who take part: the sum of the next four. */
  people: number;
  unchanged: number;
  /** Both lists have occurrences, and differ. */
  moved: number;
  /** Nothing came before. */
  added: number;
  /** Nothing comes any more. */
  removed: number;
  /** People who got a push on the date that it is for them, and on which the new reminders come again with `again`. */
  againToday: number;
  /** Those whose occurrences differ. */
  page: Concerned[];
}

export const noEffect = (): Effect => ({
  people: 0,
  unchanged: 0,
  moved: 0,
  added: 0,
  removed: 0,
  againToday: 0,
  page: [],
});

/** Occurrences that are compared. */
const compared = 3;

/** Texts do not matter, and may be long. */
export const textOf = (reminders: StoredReminders | null) =>
  reminders && JSON.stringify({ ...reminders, notification: undefined, translations: undefined });

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A row, with the last push of any revision, and the responses that trigger the new reminders. */
export type Before = ReminderRow & { pushedSoFar: string | null; triggersAfter: string };

/** The row as the change leaves it: under the next revision, which knows of all pushes before it. */
const changed = (row: Before, reminders: string | null, { now, again }: { now: number; again: boolean }) => ({
  ...row,
  reminders,
  revision: row.revision + 1,
  remindersSince: now,
  pushed: again ? null : row.pushedSoFar,
  triggers: row.triggersAfter,
});

/** Adds the effect on some people, up to the one who fills the page; returns that one. */
export function addEffects(
  effect: Effect,
  context: Pick<Context, 'db' | 'now' | 'log'>,
  rows: Before[],
  { reminders, again, from = 0, limit, isSame }: PlannedChange & { isSame: boolean },
): string | undefined {
  const { now } = context;
  const text = textOf(reminders);
  const statesOf = (some: Before[], isAgain: boolean) =>
    toReminders(context, isSame ? some : some.map((row) => changed(row, text, { now, again: isAgain })));
  const after = statesOf(rows, false);
  // Earlier pushes make a difference to few people.
  const isReminded = (n: number) => !isSame && (after[n]?.remindedUntil ?? 0) > now;
  const anew = new Map(
    statesOf(
      rows.filter((_, n) => isReminded(n)),
      true,
    ).map((state) => [state.user, state]),
  );
  for (const [n, state] of toReminders(context, rows).entries()) {
    const [once, twice] = [after[n] as UserReminders, anew.get(state.user)];
    const one = {
      user: state.user,
      before: nextOf(state, now, from),
      after: nextOf((again && twice) || once, now, from),
    };
    const kind = kindOf(one);
    effect.people++;
    effect[kind]++;
    if (twice && (nextOccurrence(twice)?.dueAt ?? Infinity) <= once.remindedUntil) effect.againToday++;
    if (kind !== 'unchanged' && limit > 0 && effect.page.push(one) === limit) return state.user;
  }
  return undefined;
}

function kindOf({ before, after }: Concerned) {
  if (same(before, after)) return 'unchanged';
  if (before.length === 0) return 'added';
  return after.length === 0 ? 'removed' : 'moved';
}

function nextOf(state: UserReminders, now: number, from: number): number[] {
  const found: number[] = [];
  for (const { dueAt } of occurrences(state, from > now ? from : comingSince(state, now)))
    if (found.push(dueAt) === compared) break;
  return found;
}
