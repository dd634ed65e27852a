import type { Task } from './planners.ts';
import { reminderStateOf, ruleOf } from './reminders.ts';
import { allZones } from './zones.ts';

/** Typical of studies: each evening, on some mornings, on work days, once a week, at noon. */
const recurrences = ['30 21 * * *', '0 8 * * 1,3,5', '15 7 * * 1-5', '0 20 * * 0', '0 12 * * *'];
const surveys = recurrences.map((recurrence) => ({ recurrence, rule: ruleOf(recurrence) }));

const minutesPerDay = 1440;

const from = Date.parse('2027-03-01T08:17:00.000Z');

/**
 * Users over all zones, planned at the same instant, as when reminders are set. Users of a zone are adjacent, since a
 * study's members mostly live in one. `survey`: all use their survey's time, so that users of one zone share their plan.
 * `own`: each user of a zone has another time, up to one per minute of the day.
 */
export function usersOf(distribution: Distribution, users: number): Task[] {
  const zones = allZones();
  return Array.from({ length: users }, (_, n): Task => {
    const zone = zones[Math.floor((n * zones.length) / users)] as string;
    const survey = surveys[n % surveys.length] as (typeof surveys)[number];
    const { recurrence, rule } = survey;
    if (distribution === 'survey')
      return { recurrence, zone, from, reminderState: reminderStateOf(rule, null, zone, from) };
    // 7 and the minutes of a day have no common factor, so times repeat only after all minutes.
    const minute = (n * 7) % minutesPerDay;
    const [hh, mm] = [Math.floor(minute / 60), minute % 60];
    const days = recurrence.split(' ').slice(2).join(' ');
    const time = [hh, mm].map((number) => String(number).padStart(2, '0')).join(':');
    return {
      recurrence: `${mm} ${hh} ${days}`,
      zone,
      from,
      reminderState: reminderStateOf(rule, time, zone, from),
    };
  });
}

/** Every n-th task, about `size` in all. n is not a multiple of the number of surveys, so all of them occur. */
export function sampleOf(tasks: Task[], size: number): Task[] {
  const wanted = Math.ceil(tasks.length / size);
  const every = wanted > 1 && wanted % surveys.length === 0 ? wanted + 1 : wanted;
  return tasks.filter((_, n) => n % every === 0);
}

export const distributions = ['survey', 'own'] as const;
export type Distribution = (typeof distributions)[number];
