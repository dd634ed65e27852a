import { type Facts, givenOf, possibleSettings, stamp } from './facts.ts';
import { clockZone } from './oracle/expected.ts';
import { slowDue } from './oracle/triggers.ts';
import { isQuiet } from './quiet-hours.ts';
import { responseOfKey, triggerOf } from './triggered-checks.ts';

/** Longest time between reading the state of a user and settling by it, with every retry. */
const decidingMs = 3 * 60_000;

/** A slot is due at its minute, a reminder of a response when that says, and a slot skipped for quiet hours could not be sent. */
export const findWrongSampling = (facts: Facts): string[] => [
  ...findMisplaced(facts),
  ...findWrongSkips(facts),
];

function findMisplaced(facts: Facts): string[] {
  const zoneRulesChange = facts.run.scenario.faults.some(({ what }) => what === 'zones');
  if (zoneRulesChange) return [];
  return facts.pairs.flatMap((pair) =>
    pair.rows.flatMap((row) => {
      const given = givenOf(pair, row);
      const response = facts.responses.find(({ id }) => id === responseOfKey(row.on));
      const trigger = triggerOf(given);
      const draw = facts.drawOf(pair, row.revision);
      const isPlace = possibleSettings(facts, pair.member).some((settings) => {
        const due = trigger
          ? response && slowDue(trigger, response.given, clockZone(given, settings))
          : facts.expect.due(row.on, { given, ...settings, draw });
        return due === row.dueAt;
      });
      return !row.on.includes('/') || isPlace
        ? []
        : [`${row.on}: at ${stamp(row.dueAt)}, which is not its minute`];
    }),
  );
}

const minuteMs = 60_000;

/** Quiet hours lasted from its due time, or from its decision, until it expired. */
function findWrongSkips(facts: Facts): string[] {
  const clockMoves = facts.run.scenario.faults.some(({ what }) => what === 'clock');
  if (clockMoves) return [];
  return facts.pairs.flatMap(({ member, survey, rows }) =>
    rows.flatMap((row) => {
      const { on, reason, dueAt, settledAt } = row;
      if (reason !== 'quiet-hours' || settledAt === null) return [];
      const during = [settledAt - decidingMs, settledAt] as const;
      const given = givenOf({ survey }, row);
      const expiresAt = dueAt + Number(given?.expiresAfter ?? 360) * minuteMs;
      const outlasted = member.quietHours
        .possible(...during)
        .some(
          (quiet) =>
            quiet !== null &&
            possibleSettings(facts, member, ...during).some(({ timeZone }) =>
              [dueAt, Math.min(settledAt, expiresAt - minuteMs)].some((from) =>
                instantsBetween(from, expiresAt).every((at) => isQuiet(at, timeZone, quiet)),
              ),
            ),
        );
      return outlasted
        ? []
        : [`${on}: skipped for quiet hours at ${stamp(settledAt)}, which did not outlast it`];
    }),
  );
}

const instantsBetween = (from: number, until: number) =>
  Array.from({ length: Math.ceil((until - from) / (5 * minuteMs)) }, (_, n) => from + n * 5 * minuteMs);
