import { leaseMs } from '../src/reminders/claim.ts';
import { type Facts, type Pair, possibleSettings } from './facts.ts';
import { wallAt } from './oracle/clock.ts';
import { type Draw, slowMinutes } from './oracle/draws.ts';
import { clockZone } from './oracle/expected.ts';
import { slowDaysLater } from './oracle/follow-ups.ts';
import { isQuiet } from './quiet-hours.ts';
import type { GivenReminders } from './records.ts';
import type { Row } from './tables.ts';
import { responseOfKey, triggerOf } from './triggered-checks.ts';

/** The instants at which a nudge may come, so many days after a push at `pushedAt` (epoch ms). */
export type DaysLater = (pushedAt: number) => (days: number) => number[];

/** The times of nudges whole days after a push, by all that may have held since. */
export function timesOfDays(facts: Facts, pair: Pair, row: Row, given: GivenReminders): DaysLater {
  const { member, survey } = pair;
  return (pushedAt) => {
    const during = [pushedAt - leaseMs, facts.run.world.at()] as const;
    const quiet = member.quietHours.possible(...during);
    const settings = possibleSettings(facts, member, ...during);
    const draw = facts.drawOf({ member, survey }, row.revision);
    const found = (days: number) =>
      settings.flatMap(({ time, ...zones }) => {
        const timeZone = clockZone(given, zones);
        const wall = timeOfDay(row, given, { time, timeZone, draw });
        const at = slowDaysLater(days, { pushedAt, ...wall, timeZone });
        return quiet.map((hours) => quietEnd(at, zones.timeZone, hours));
      });
    return (days) => [...new Set(found(days))];
  };
}

/** The time of day of an occurrence: as drawn, as its trigger says, as its person chose, as its reminders say, or when it was due. */
function timeOfDay(
  { on, dueAt }: Row,
  given: GivenReminders,
  { time, timeZone, draw }: { time: string | null; timeZone: string; draw: Draw },
): { time: string; ms?: number } {
  if (given?.windows) {
    const minute = slowMinutes(given, draw, on.slice(0, 10))[Number(on.split('/')[1])] ?? 0;
    return { time: new Date(minute * 60_000).toISOString().slice(11, 16) };
  }
  if (responseOfKey(on) !== undefined) {
    const at = triggerOf(given)?.at;
    return at === undefined ? { time: wallAt(dueAt, timeZone).slice(11), ms: dueAt % 60_000 } : { time: at };
  }
  if (time !== null && given?.clock !== 'study') return { time };
  const [minute = '', hour = ''] = String(given?.recurrence).split(' ');
  return { time: `${hour.padStart(2, '0').slice(-2)}:${minute.padStart(2, '0').slice(-2)}` };
}

function quietEnd(at: number, timeZone: string, hours: { from: string; to: string } | null): number {
  let end = at;
  for (let n = 0; hours !== null && isQuiet(end, timeZone, hours) && n < 2880; n++)
    end = (Math.floor(end / 60_000) + 1) * 60_000;
  return end;
}
