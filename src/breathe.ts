/** The machine's time, also under a simulated clock. */
const later = setTimeout.bind(globalThis);

/** Runs the next slice once the process has run everything else that is ready. */
type AfterOthers = (slice: () => void) => void;

let afterOthers: AfterOthers | undefined;
/** Pieces of work that wait for a slice: those that have had none yet, and those that go on. */
const waiting = { first: [] as (() => void)[], next: [] as (() => void)[] };
/** The kind that has the next slice if both wait. */
let favoured: keyof typeof waiting = 'first';

/**
 * From now on long work has its slices one at a time, everything else that is ready in between, however much of it is
 * under way at once. For a process whose requests share one thread; without it each piece of work waits for a timer of
 * its own.
 */
export function shareThread(schedule: AfterOthers): void {
  afterOthers = schedule;
}

/** Lets other work of the process run: whatever is not long, and all long work that waits already. */
export const breathe = (): Promise<void> =>
  afterOthers ? sliceOf('next') : new Promise((resolve) => void later(resolve));

/** The first slice of work that may be long. It comes before most slices of work that goes on: most is short. */
export const firstSlice = async (): Promise<void> => {
  if (afterOthers) await sliceOf('first');
};

function sliceOf(kind: keyof typeof waiting): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.first.length + waiting.next.length === 0) afterOthers?.(nextSlice);
    waiting[kind].push(resolve);
  });
}

/** Kinds alternate, so that nobody waits for ever. */
function nextSlice() {
  const kind = waiting[favoured].length > 0 ? favoured : other(favoured);
  favoured = other(kind);
  waiting[kind].shift()?.();
  if (waiting.first.length + waiting.next.length > 0) afterOthers?.(nextSlice);
}

const other = (kind: keyof typeof waiting) => (kind === 'first' ? 'next' : 'first');

/** Most milliseconds, and most characters written, of a slice: in workerd the clock stands still. */
const sliceMs = 5;
const sliceCharacters = 100_000;

/** Characters written in a millisecond, where it cannot be measured. */
const charactersOfMs = 100_000;

/** Measures a slice, by the clock if the process shares its thread, and by what was written. */
export function startSlice() {
  const clock = () => (afterOthers ? performance.now() : 0);
  const began = clock();
  return {
    isOver: (characters: number) => characters > sliceCharacters || clock() - began > sliceMs,
    /** Milliseconds of computing. */
    spent: (characters: number) => (afterOthers ? clock() - began : characters / charactersOfMs),
  };
}
