import { slotOf } from '../src/schedule/slots.ts';
import { askFounder, datesAround, drawing } from './compliance-questions.ts';
import { seeded } from './determinism.ts';
import { type Facts, occurrenceId } from './facts.ts';
import { type Asked, type Booked, type Counts, count, countsIn } from './oracle/counts.ts';
import type { Values } from './oracle/groups.ts';
import { hasOutcome, type Row, readCodes, readProperties } from './tables.ts';

/** Questions after a run, each with a period and a survey of its own. */
const questions = 3;

interface Question extends Partial<Asked> {
  limit: number;
}

/** An occurrence as the list has it. */
interface Listed {
  identifier: string;
  user: string;
  survey: string;
  on: string;
  slot: number | null;
  revision: number;
  dueAt: string;
  state: string;
  reason: string | null;
  shownAt: string | null;
  openedAt: string | null;
  answeredAt: string | null;
  late: boolean | null;
}

/**
 * Checks that the list of occurrences has each settled occurrence of everybody who has taken part once, with its answer, and
 * that the counts of compliance are those of its rows.
 */
export async function findWrongOccurrences(facts: Facts): Promise<string[]> {
  const random = seeded(facts.run.scenario.seed + 4);
  const all = await expectedOf(facts);
  const wrong: string[] = [];
  for (let n = 0; n < questions; n++) {
    const question = n === 0 ? { limit: 1000 } : ask(facts, random);
    const found = await listed(facts, question);
    wrong.push(...differences(question, found, answering(all, question)));
    if (n === 0) wrong.push(...(await findWrongCounts(facts, found)));
  }
  return wrong;
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Periods around the run, and surveys, at random. */
function ask(facts: Facts, random: () => number): Question {
  const { below, from, to, survey } = drawing(facts, random);
  return {
    ...(random() < 0.5 && { from: from() }),
    ...(random() < 0.5 && { to: to() }),
    ...(random() < 0.6 && { survey: survey() }),
    limit: 1 + below(20),
  };
}

/** The rows of the list by what the service has kept, each with the answers beside it. */
async function expectedOf(facts: Facts) {
  const { run, rows } = facts;
  const codes = await readCodes(run.database);
  const properties = await readProperties(run.database);
  return rows
    .filter(hasOutcome)
    .map((row) =>
      expectedRow(facts, row, { code: codes.get(row.user) ?? null, properties: properties.get(row.user) }),
    )
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function expectedRow(
  { responses }: Facts,
  row: Row & { state: string },
  { code, properties }: { code: string | null; properties: Values | undefined },
) {
  const identifier = occurrenceId(row);
  const [first] = responses
    .filter(({ notification, deleted }) => notification === identifier && !deleted)
    .toSorted((a, b) => a.given - b.given || (a.id < b.id ? -1 : 1));
  const { on, slot = null } = slotOf(row.on);
  const wasAnsweredBefore = row.state === 'skipped' && row.reason === 'answered';
  const isAnswered = row.answeredAt !== null || wasAnsweredBefore;
  return {
    identifier,
    user: row.user,
    code,
    ...(properties && { properties }),
    survey: row.survey,
    on,
    slot,
    counter: row.counter,
    revision: row.revision,
    timeZone: row.timeZone,
    dueAt: new Date(row.dueAt).toISOString(),
    sentAt: row.state === 'sent' ? iso(row.settledAt) : null,
    shownAt: iso(row.shownAt),
    openedAt: iso(row.openedAt),
    answeredAt: iso(row.answeredAt),
    late: isAnswered ? row.answeredLate !== null && !wasAnsweredBefore : null,
    state: row.state,
    reason: row.reason,
    nudges: row.followUps.filter(({ kind, state }) => kind === 'nudge' && state === 'sent').length,
    response: first?.id ?? null,
    items: first?.items ?? {},
  };
}

type Expected = ReturnType<typeof expectedRow>;

const keyOf = ({ user, dueAt, identifier }: Pick<Listed, 'user' | 'dueAt' | 'identifier'>) =>
  `${user} ${dueAt} ${identifier}`;

/** Those of a question; only a list of one survey has answers. */
const answering = (all: Expected[], { from = '0', to = '9', survey }: Question): object[] =>
  all
    .filter((row) => from <= row.on && row.on <= to && (survey === undefined || row.survey === survey))
    .map(({ items, ...row }) => (survey === undefined ? row : { ...row, items }));

function differences(question: Question, found: object[], expected: object[]): string[] {
  const { from = 'the beginning', to = 'the end', survey = 'all surveys' } = question;
  const label = `occurrences from ${from} to ${to}, ${survey}`;
  const wrong =
    found.length === expected.length ? [] : [`${label}: ${found.length} rows, expected ${expected.length}`];
  const n = expected.findIndex((row, at) => show(found[at]) !== show(row));
  return n === -1
    ? wrong
    : [...wrong, `${label}: row ${n}: ${show(found[n])}, expected ${show(expected[n])}`];
}

/** The counts of each participant are those of their rows, and the totals those of all rows. */
async function findWrongCounts(facts: Facts, found: Listed[]): Promise<string[]> {
  const { participants, totals } = await askFounder(facts, 'compliance', {
    ...datesAround(facts),
    limit: 1000,
  });
  const compare = (whose: string, one: Counts, rows: Listed[]) => {
    const [told, counted] = [show(countsIn(one)), show(countsIn(count(rows.map(bookedOf))))];
    return told === counted ? [] : [`compliance of ${whose}: ${told}, expected by occurrences: ${counted}`];
  };
  return [
    ...compare('everybody', totals, found),
    ...(participants as (Counts & { user: string })[]).flatMap((one) =>
      compare(
        one.user,
        one,
        found.filter(({ user }) => user === one.user),
      ),
    ),
  ];
}

const bookedOf = ({ shownAt, openedAt, answeredAt, late, ...row }: Listed): Booked => ({
  ...row,
  shown: shownAt !== null,
  opened: openedAt !== null,
  answered: answeredAt !== null,
  late: late === true,
});

/** Page by page, as the founder reads it. */
async function listed(facts: Facts, question: Question): Promise<Listed[]> {
  const rows: Listed[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await askFounder(facts, 'occurrences', { ...question, cursor });
    rows.push(...page.occurrences);
    if (page.next === undefined) return rows;
    cursor = page.next;
  }
}

const show = (value: unknown): string => JSON.stringify(value);
