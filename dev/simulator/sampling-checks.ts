import { type Facts, possibleSettings, stamp } from './facts.ts';
import { wallAt } from './oracle/clock.ts';
import type { MemberRecord } from './records.ts';
import type { Row } from './tables.ts';

/** Longest time between reading the state of a user and settling by it, with every retry. */
const decidingMs = 3 * 60_000;

/** Whether the clocks of some zone that the member may have been in show a time outside their quiet hours. */
export function mayDisturb(
  facts: Facts,
  member: MemberRecord,
  { during, instants }: { during: readonly [number, number]; instants: readonly number[] },
): boolean {
  return member.quietHours
    .possible(...during)
    .some(
      (quiet) =>
        quiet === null ||
        possibleSettings(facts, member, ...during).some(({ timeZone }) =>
          instants.some((at) => !isQuiet(at, timeZone, quiet)),
        ),
    );
}

function isQuiet(at: number, timeZone: string, { from, to }: { from: string; to: string }): boolean {
  const time = wallAt(at, timeZone).slice(11);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** A slot is due at its minute, phones get slots in order, and what is skipped for quiet hours could not be sent. */
export const findWrongSampling = (facts: Facts): string[] => [
  ...findMisplaced(facts),
  ...findWrongSkips(facts),
  ...findDisorder(facts),
];

function findMisplaced(facts: Facts): string[] {
  const zoneRulesChange = facts.run.scenario.faults.some(({ what }) => what === 'zones');
  if (zoneRulesChange) return [];
  return facts.pairs.flatMap((pair) =>
    pair.rows.flatMap((row) => {
      const given = givenOf(facts, pair.survey.name, row);
      const isPlace = possibleSettings(facts, pair.member).some(
        ({ timeZone, time }) =>
          facts.expect.due(row.on, { given, timeZone, time, draw: facts.drawOf(pair, row.revision) }) ===
          row.dueAt,
      );
      return !row.on.includes('/') || isPlace
        ? []
        : [`${row.on}: at ${stamp(row.dueAt)}, which is not its minute`];
    }),
  );
}

const givenOf = ({ run }: Facts, survey: string, { revision }: Row) =>
  run.records.surveys
    .get(survey)
    ?.reminders.possible(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    .find((one) => one.revision === revision)?.given ?? null;

const minuteMs = 60_000;

/** From when it was due, or from its decision on, quiet hours lasted until it expired. */
function findWrongSkips(facts: Facts): string[] {
  const clockMoves = facts.run.scenario.faults.some(({ what }) => what === 'clock');
  if (clockMoves) return [];
  return facts.pairs.flatMap(({ member, survey, rows }) =>
    rows.flatMap((row) => {
      const { on, reason, dueAt, settledAt } = row;
      if (reason !== 'quiet-hours' || settledAt === null) return [];
      const during = [settledAt - decidingMs, settledAt] as const;
      const given = givenOf(facts, survey.name, row);
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

/** Of a revision a phone gets one occurrence after the other, in their order. */
function findDisorder({ run, rows, occurrenceOf }: Facts): string[] {
  const clockMoves = run.scenario.faults.some(({ what }) => what === 'clock');
  if (clockMoves || rows.length === 0) return [];
  const last = new Map<string, string>();
  return run.relay.accepted
    .toSorted((a, b) => a.at - b.at)
    .flatMap((push) => {
      const row = occurrenceOf(push.collapseId);
      if (!row) return [];
      const series = `${push.token} ${row.user} ${row.survey} ${row.revision}`;
      const before = last.get(series) ?? '';
      if (row.on >= before) last.set(series, row.on);
      return row.on >= before ? [] : [`${push.token} got ${row.on} after ${before}`];
    });
}
