import type { SimulatedDatabase } from './database.ts';
import { type Row, readDeleted, readRows } from './tables.ts';
import { responseOfKey } from './triggered-checks.ts';

/** The occurrences at one moment. */
export interface Moment {
  rows: readonly Row[];
  /** The accounts that are gone. */
  deleted: ReadonlySet<string>;
}

/** Looks at the occurrences each time that something was written. */
export function createTraces(database: SimulatedDatabase) {
  const found = new Set<string>();
  let before: Moment = { rows: [], deleted: new Set() };
  let writes = -1;
  return {
    async look() {
      if (database.counts.writes === writes) return;
      writes = database.counts.writes;
      const after: Moment = { rows: await readRows(database), deleted: await readDeleted(database) };
      for (const one of findUntraced(before, after)) found.add(one);
      before = after;
    },
    found: (): string[] => [...found],
  };
}

/**
 * An occurrence that was settled stays as it is, unless a push went out meanwhile, and one that was scheduled leaves a
 * trace. Invalidated ones may come again, unless a phone has them.
 */
export function findUntraced(before: Moment, after: Moment): string[] {
  const now = new Map(after.rows.map((row) => [keyOf(row), row]));
  const settled = new Map(before.rows.filter(isSettled).map((row) => [keyOf(row), outcomeOf(row)]));
  // Also one that was settled at once.
  const replacements = after.rows.filter((row) => settled.get(keyOf(row)) !== outcomeOf(row));
  return before.rows.flatMap((row) => {
    const found = now.get(keyOf(row));
    if (isSettled(row))
      return whatBecameOf(row, found).map(
        (what) => `${row.on} was settled as ${row.state}, and then ${what}`,
      );
    const isGone = !found && !after.deleted.has(row.user);
    const isReplaced =
      replacements.some((one) => replaces(one, row)) || after.rows.some((one) => isSettledFor(one, row));
    return isGone && !isReplaced ? [`${row.on} was scheduled, and vanished without a trace`] : [];
  });
}

/** A reminder that follows a response is the same one on whatever date. */
const keyOf = ({ user, survey, revision, on }: Row) =>
  `${user} ${survey} ${revision} ${responseOfKey(on) ?? on}`;
const isSettled = ({ settledAt }: Row) => settledAt !== null;

const outcomeOf = ({ counter, dueAt, timeZone, settledAt, state, reason }: Row) =>
  JSON.stringify([counter, dueAt, timeZone, settledAt, state, reason]);

function whatBecameOf(row: Row, now: Row | undefined): string[] {
  if (!now) return ['removed'];
  const mayComeAgain = row.state === 'invalidated' && !row.deliveries.some(({ messageId }) => messageId);
  if (mayComeAgain || (row.state !== 'sent' && now.state === 'sent')) return [];
  if (outcomeOf(row) !== outcomeOf(now))
    return [row.state !== 'sent' && !isSettled(now) ? 'planned again' : 'written again'];
  // Phones without the first push may get it later.
  const isOver = !row.coming.some(({ kind }) => kind === 'first');
  return isOver && JSON.stringify(row.deliveries) !== JSON.stringify(now.deliveries)
    ? ['delivered again']
    : [];
}

const isOfSurvey = (one: Row, row: Row) => one.user === row.user && one.survey === row.survey;

/** An earlier date comes instead; or another response, whatever the dates, which move with their person. */
const replaces = (one: Row, row: Row) =>
  isOfSurvey(one, row) &&
  one.revision === row.revision &&
  (one.on < row.on || (isOfResponse(one) && isOfResponse(row) && one.on !== row.on));

const isOfResponse = ({ on }: Row) => responseOfKey(on) !== undefined;

/** The same response was settled, under whatever revision. */
const isSettledFor = (one: Row, row: Row) =>
  isOfSurvey(one, row) &&
  isSettled(one) &&
  isOfResponse(row) &&
  responseOfKey(one.on) === responseOfKey(row.on);
