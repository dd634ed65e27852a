import {
  clockMoves,
  type Facts,
  givenOf,
  occurrenceId,
  type Pair,
  possibleSettings,
  stamp,
} from './facts.ts';
import { slowOpen } from './oracle/answers.ts';
import type { Row, StoredResponse } from './tables.ts';

const minuteMs = 60_000;

/** Each answer belongs to one reminder at most, to the right one, and is noted and counted there and nowhere else. */
export function findMisplacedAnswers(facts: Facts): string[] {
  // Rows have the server's times, which such a fault moves away from true time.
  if (clockMoves(facts)) return [];
  return facts.pairs.flatMap((pair) => {
    const answers = [...facts.responses, ...facts.setAside].filter(
      ({ responder, survey }) => responder === pair.member.id && survey === pair.survey.id,
    );
    const rows = pair.rows.filter(counts);
    const wrong = [
      ...answers.flatMap((answer) => findUnnoted(rows, answer)),
      ...answers.flatMap((answer) => findElsewhere(facts, pair, { answer, answers })),
      ...findTwice(rows, answers),
    ];
    return wrong.map((one) => `${pair.member.name}, ${pair.survey.name}, ${one}`);
  });
}

const counts = ({ settledAt, state }: Row) => settledAt !== null && state !== 'invalidated';
const isSkipped = ({ state, reason }: Row) => state === 'skipped' && reason === 'answered';

function findUnnoted(rows: readonly Row[], { notification, given, deleted }: StoredResponse): string[] {
  const row = rows.find((one) => occurrenceId(one) === notification);
  const isNoted = row && (isSkipped(row) || (row.answeredAt !== null && row.answeredAt <= given));
  // One that was deleted before its reminder was due held back nothing.
  return !row || isNoted || deleted ? [] : [`${row.on}: the answer of ${stamp(given)} is not noted`];
}

/** An answered reminder has the time of an answer of its own, or of one that belongs to none and is no other's. */
function findTwice(rows: readonly Row[], answers: readonly StoredResponse[]): string[] {
  const free = answers.filter(({ notification }) => !rows.some((row) => occurrenceId(row) === notification));
  const isOwn = (row: Row) =>
    answers.some((one) => one.notification === occurrenceId(row) && one.given === row.answeredAt);
  const others = rows.filter((row) => (isSkipped(row) || row.answeredAt !== null) && !isOwn(row));
  return [...Map.groupBy(others, ({ answeredAt }) => answeredAt)].flatMap(([at, some]) => {
    const taken = free.filter(({ given }) => given === at);
    if (taken.length >= some.length) return [];
    if (taken.length > 0)
      return [`${some.length} reminders are answered by ${taken.length} answers that belong to none`];
    return some.map(
      ({ on }) =>
        `${on}: answered by ${at === null ? 'nothing that is noted' : 'an answer of another reminder'}`,
    );
  });
}

/** An answer without a name, where the rows tell what was open when it was given. */
function findElsewhere(
  facts: Facts,
  pair: Pair,
  { answer, answers }: { answer: StoredResponse; answers: readonly StoredResponse[] },
): string[] {
  const { member, survey, rows } = pair;
  const { id, given, received, notification } = answer;
  if (member.named.has(id)) return [];
  const due = rows.filter(({ dueAt }) => dueAt <= given);
  // The service was behind, or a plan has changed.
  if (due.some((row) => !counts(row) || Number(row.settledAt) >= received)) return [];
  const named = rows.find((row) => occurrenceId(row) === notification);
  if (named?.answeredAt === given && wasDue(facts, pair, named, answer)) return [];
  const reminders = due
    .toSorted((a, b) => a.revision - b.revision || (a.on < b.on ? -1 : 1))
    .map((row) => ({
      id: occurrenceId(row),
      dueAt: row.dueAt,
      answeredAt: answeredBefore(row, answer, answers),
    }));
  const possible = survey.reminders.possible(received - minuteMs, received + minuteMs);
  const expected = new Set(
    possible.map(({ given: set }) => slowOpen(reminders, given, Number(set?.expiresAfter ?? 0) * minuteMs)),
  );
  const [only] = expected;
  if (expected.size !== 1 || only === undefined || only === notification) return [];
  return [`the answer of ${stamp(given)} belongs to ${notification}, expected ${only}`];
}

/** It was due where the person was, or at their time, and then its plan moved behind the answer. */
function wasDue(facts: Facts, pair: Pair, row: Row, { given, received }: StoredResponse): boolean {
  const set = givenOf(pair, row);
  if (row.dueAt <= given || set?.type === 'triggered') return false;
  const draw = facts.drawOf(pair, row.revision);
  return possibleSettings(facts, pair.member, given, received).some(
    (settings) => facts.expect.due(row.on, { ...settings, given: set, draw }) <= given,
  );
}

/** The first answer to a reminder that the service had when another one came. */
function answeredBefore(row: Row, answer: StoredResponse, answers: readonly StoredResponse[]): number | null {
  const own = answers.filter(({ notification }) => notification === occurrenceId(row));
  const before = own.filter((one) => one !== answer && one.received <= answer.received);
  // An answer that came later may have been given earlier, and hide the one that a row took when it was late.
  const isHidden = answers.some(
    (one) => one.notification === null && one.received < answer.received && one.given >= row.dueAt,
  );
  const isOwn =
    row.answeredAt === answer.given || (!isHidden && own.some(({ given }) => given === row.answeredAt));
  const taken = isSkipped(row) || (row.answeredAt !== null && before.length === 0 && !isOwn);
  const times = before.map(({ given }) => given);
  return times.length > 0 ? Math.min(...times) : taken ? Number.NEGATIVE_INFINITY : null;
}
