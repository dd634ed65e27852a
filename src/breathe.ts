/** The machine's time, also under a simulated clock. */
const later = setTimeout.bind(globalThis);

/** Hands out the next turn once the process has looked at everything else that is ready. */
type AfterOthers = (turn: () => void) => void;

let afterOthers: AfterOthers | undefined;
/** Pieces of work that wait for a turn: those that have had none yet, and those that go on. */
const waiting = { first: [] as (() => void)[], next: [] as (() => void)[] };
/** The kind that has the next turn if both wait. */
let favoured: keyof typeof waiting = 'first';

/**
 * From now on long work has its turns one at a time, everything else that is ready in between, however much of it is
 * under way at once. For a process whose requests share one thread; without it each piece of work waits for a timer of
 * its own.
 */
export function shareTurns(schedule: AfterOthers): void {
  afterOthers = schedule;
}

/** Lets other work of the process have a turn: whatever is not long, and all long work that waits already. */
export const breathe = (): Promise<void> =>
  afterOthers ? turnOf('next') : new Promise((resolve) => void later(resolve));

/** A turn of work that may be long, at its beginning. It comes before most turns of work that goes on: most is short. */
export const firstTurn = async (): Promise<void> => {
  if (afterOthers) await turnOf('first');
};

function turnOf(kind: keyof typeof waiting): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.first.length + waiting.next.length === 0) afterOthers?.(giveTurn);
    waiting[kind].push(resolve);
  });
}

/** Kinds alternate, so that nobody waits for ever. */
function giveTurn() {
  const kind = waiting[favoured].length > 0 ? favoured : other(favoured);
  favoured = other(kind);
  waiting[kind].shift()?.();
  if (waiting.first.length + waiting.next.length > 0) afterOthers?.(giveTurn);
}

const other = (kind: keyof typeof waiting) => (kind === 'first' ? 'next' : 'first');

/** Most milliseconds, and most characters written, before other work has a turn: in workerd the clock stands still. */
const turnMs = 5;
const turnCharacters = 100_000;

/** Characters written in a millisecond, where it cannot be measured. */
const charactersOfMs = 100_000;

/** Measures a turn, by the clock if the process shares its turns, and by what was written. */
export function startTurn() {
  const clock = () => (afterOthers ? performance.now() : 0);
  const began = clock();
  return {
    isOver: (characters: number) => characters > turnCharacters || clock() - began > turnMs,
    /** Milliseconds of computing. */
    spent: (characters: number) => (afterOthers ? clock() - began : characters / charactersOfMs),
  };
}
