import {
  clockMoves,
  type Facts,
  givenOf,
  isInTime,
  isListed,
  mayTake,
  type Pair,
  possibleSettings,
  stamp,
} from './facts.ts';
import type { Row } from './tables.ts';

/** Longest time between reading the state of a member and settling by it, with every retry. */
const decidingMs = 3 * 60_000;

/** Checks of the dates and the time of members. */
export const findWrongCourses = (facts: Facts): string[] =>
  facts.pairs.flatMap((pair) =>
    [...findUnkept(facts, pair), ...(clockMoves(facts) ? [] : findUntrue(facts, pair))].map(
      (what) => `${pair.member.name}, ${pair.survey.name}: ${what}`,
    ),
  );

/** The service has the dates and the time that were set last. */
function findUnkept({ run }: Facts, { member, stored }: Pair): string[] {
  // A member who left and was not told so has none.
  if (!stored || member.member.last() === false) return [];
  const dates = Object.fromEntries(Object.entries(stored.dates).map(([name, [date]]) => [name, date]));
  const time = stored.participation && ownTime(stored.participation);
  const at = run.world.at();
  const isOne = (values: readonly (object | null)[], found: object | null) =>
    values.some((one) => inOrder(one) === inOrder(found));
  return [
    ...(isOne(member.dates.possible(at, at), dates) ? [] : [`other dates are kept: ${inOrder(dates)}`]),
    ...(isOne(member.participation.possible(at, at), time) ? [] : [`another time is kept: ${inOrder(time)}`]),
  ];
}

/** Without bounds it is that of the study. */
const ownTime = ({ from, until }: { from?: string; until?: string }) =>
  from === undefined && until === undefined
    ? null
    : { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };

const inOrder = (value: object | null) => JSON.stringify(value && Object.entries(value).sort());

/** Reasons of a date that moved, and of a time that is over, held when they were written down. */
function findUntrue(facts: Facts, pair: Pair): string[] {
  return pair.rows.flatMap((row) => {
    const { on, reason, settledAt } = row;
    if (settledAt === null || !judged.includes(String(reason))) return [];
    return mayBe(facts, pair, row, [settledAt - decidingMs, settledAt])
      ? []
      : [`${on}: ${reason} at ${stamp(settledAt)}, which was not so`];
  });
}

const judged = ['date-moved', 'not-participating', 'not-in-group'];

function mayBe(facts: Facts, pair: Pair, row: Row, during: readonly [number, number]): boolean {
  if (row.reason === 'not-in-group') return mayTake(pair, ...during).includes(false);
  const given = givenOf(pair, row);
  return possibleSettings(facts, pair.member, ...during).some((settings) =>
    row.reason === 'date-moved'
      ? typeof given?.from === 'object' && !isListed(facts, { ...pair, row, given }, settings)
      : !isInTime(pair, settings, row.on),
  );
}
