import { type Facts, possibleSettings } from './facts.ts';
import { wallAt } from './oracle/clock.ts';
import type { MemberRecord } from './records.ts';

interface When {
  /** In true time: the member's settings that may have held then. */
  during: readonly [number, number];
  /** By the server's clock. */
  instants: readonly number[];
}

/** Whether the clocks of some zone that the member may have been in show a time outside their quiet hours. */
export const mayDisturb = (facts: Facts, member: MemberRecord, { during, instants }: When): boolean =>
  member.quietHours
    .possible(...during)
    .some(
      (quiet) =>
        quiet === null ||
        possibleSettings(facts, member, ...during).some(({ timeZone }) =>
          instants.some((at) => !isQuiet(at, timeZone, quiet)),
        ),
    );

/** Whether one of the instants may have been within their quiet hours. */
export const mayBeQuiet = (facts: Facts, member: MemberRecord, { during, instants }: When): boolean =>
  member.quietHours
    .possible(...during)
    .some(
      (quiet) =>
        quiet !== null &&
        possibleSettings(facts, member, ...during).some(({ timeZone }) =>
          instants.some((at) => isQuiet(at, timeZone, quiet)),
        ),
    );

export function isQuiet(at: number, timeZone: string, { from, to }: { from: string; to: string }): boolean {
  const time = wallAt(at, timeZone).slice(11);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
