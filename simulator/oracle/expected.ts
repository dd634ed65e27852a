import { parseRule, type Reminders } from '../../src/schedule/rule.ts';
import type { GivenReminders } from '../records.ts';
import { offsetAt, offsetChanges, slowMoment } from './clock.ts';
import { type Draw, slotsOf, slowMinutes } from './draws.ts';
import { slowDates } from './series.ts';

/** The inputs of the dates and times of one member for one survey. */
export interface Inputs {
  given: GivenReminders;
  /** The first date of the series. Null: not downloaded. */
  start: string | null;
  timeZone: string;
  /** For reminders on the study's clock. */
  studyZone: string;
  time: string | null;
}

export interface ExpectedDate {
  /** The date; with windows the key of one of its occurrences: `2027-06-08/002`. */
  on: string;
  counter: number;
}

/**
 * Computes slowly and obviously the dates that the application computes fast. Shares only the parsing of the five fields.
 */
export interface Expectations {
  /** All dates of the series; with windows all their occurrences. Weekdays may be drawn. */
  dates(inputs: Pick<Inputs, 'given' | 'start'> & { draw?: Draw | undefined }): ExpectedDate[];
  /** When an occurrence is due, epoch ms. With windows it is drawn. */
  due(on: string, inputs: Omit<Inputs, 'start'> & { draw: Draw }): number;
}

const dayMs = 86_400_000;
const daysAhead = 150;
/** By zone and year. Kept from run to run, because finding the changes of a zone is slow. */
const offsets = new Map<string, number[]>();

function offsetsOf(timeZone: string, year: number): number[] {
  const key = `${timeZone} ${year}`;
  const known = offsets.get(key);
  if (known) return known;
  const [from, to] = [Date.UTC(year, 0, 1) - 5 * dayMs, Date.UTC(year + 1, 0, 1) + 5 * dayMs];
  const all = [from, ...offsetChanges(timeZone, from, to)].map((at) => offsetAt(at, timeZone));
  const found = [...new Set(all)];
  offsets.set(key, found);
  return found;
}

/** For a run that ends at `until` (epoch ms). */
export function createExpectations(until: number): Expectations {
  const moments = new Map<string, number>();
  const series = new Map<string, ExpectedDate[]>();
  return {
    dates({ given, start, draw }) {
      if (given === null || start === null) return [];
      const key = JSON.stringify([given, start, given.pick === undefined ? null : draw]);
      const known = series.get(key);
      if (known) return known;
      const parsed = parseRule(given as unknown as Reminders);
      if ('issues' in parsed || parsed.rule.type === 'triggered') return [];
      const days = Math.ceil((until - Date.parse(start)) / dayMs) + daysAhead;
      const found = slowDates({ rule: parsed.rule, start, draw }, days).flatMap((date) =>
        slotted(date, given),
      );
      series.set(key, found);
      return found;
    },
    due(on, { given, time: chosen, draw, ...zones }) {
      const timeZone = clockZone(given, zones);
      const time = isOfStudy(given) ? null : chosen;
      const [date = '', slot] = on.split('/');
      if (slot !== undefined) return slowSlot({ date, slot: Number(slot) }, { given, timeZone, draw });
      const [minute = '', hour = ''] = String(given?.recurrence).split(' ');
      const wall = time ?? `${hour.padStart(2, '0').slice(-2)}:${minute.padStart(2, '0').slice(-2)}`;
      const key = `${on} ${wall} ${timeZone}`;
      const known = moments.get(key);
      if (known !== undefined) return known;
      const { at } = slowMoment(on, wall, timeZone, offsetsOf(timeZone, Number(on.slice(0, 4))));
      moments.set(key, at);
      return at;
    },
  };
}

const isOfStudy = (given: GivenReminders) => given?.clock === 'study';

/** The zone of the clock that the reminders are on. */
export const clockZone = (given: GivenReminders, zones: Pick<Inputs, 'timeZone' | 'studyZone'>): string =>
  isOfStudy(given) ? zones.studyZone : zones.timeZone;

/** The occurrences of a date, as their keys. */
export function slotted({ on, counter }: ExpectedDate, given: GivenReminders): ExpectedDate[] {
  const slots = slotsOf(given);
  if (slots.length === 0) return [{ on, counter }];
  return slots.map((_, slot) => ({
    on: `${on}/${String(slot).padStart(3, '0')}`,
    counter: counter * slots.length + slot,
  }));
}

const slots = new Map<string, number[]>();

/** When a slot is due: its minute, and the gap after the previous slot if the clocks take minutes away. */
function slowSlot(
  { date, slot }: { date: string; slot: number },
  { given, timeZone, draw }: Pick<Inputs, 'given' | 'timeZone'> & { draw: Draw },
): number {
  const key = JSON.stringify([date, given, timeZone, draw]);
  let instants = slots.get(key);
  if (!instants) {
    const gap = Math.max(1, Number(given?.minGap ?? 30)) * 60_000;
    const offsets = offsetsOf(timeZone, Number(date.slice(0, 4)));
    instants = [];
    for (const minute of slowMinutes(given, draw, date)) {
      const wall = new Date(minute * 60_000).toISOString().slice(11, 16);
      const { at } = slowMoment(date, wall, timeZone, offsets);
      const before = instants.at(-1);
      instants.push(before === undefined ? at : Math.max(at, before + gap));
    }
    slots.set(key, instants);
  }
  return instants[slot] ?? Number.NaN;
}
