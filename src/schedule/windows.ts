import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** A stretch of a day: minutes since midnight, from the first, up to the second. */
export interface Window {
  from: number;
  to: number;
  /** The number of occurrences in it. */
  count: number;
}

/** The windows of a date, in order and not overlapping, and the fewest minutes between two occurrences. */
export interface Windows {
  list: readonly Window[];
  /** At least 1, so that no two fall on one minute. */
  gap: number;
}

/** The input of a person's draws, for one revision of the reminders. */
export interface Draw {
  /** The secret of the survey. */
  secret: string;
  user: string;
  revision: number;
}

/** The draw that is shown without a user. */
export const exampleDraw: Draw = { secret: 'example', user: 'example', revision: 0 };

/** The most that a date may have: 12 windows of 10. */
export const maxSlots = 120;

/** The number of occurrences of a date. */
export const slotsOf = ({ list }: Windows): number => list.reduce((sum, { count }) => sum + count, 0);

/** The first window that cannot hold its count, even if all before it come as early as possible; -1: all can. */
export function findOverfull({ list, gap }: Windows): number {
  let earliest = 0;
  return list.findIndex(({ from, to, count }) => {
    const last = Math.max(earliest, from) + (count - 1) * gap;
    earliest = last + gap;
    return last >= to;
  });
}

/**
 * The minutes of a date, one for each slot, in order: each in its window, any two at least `gap` apart. Every such list of
 * minutes is equally likely, also across windows that the gap ties together.
 *
 * Let W(s, m) be the number of ways to place the slots from s on with slot s at minute m or later. It is the sum over
 * t >= m, within the window of s, of W(s + 1, t + gap), and W behind the last slot is 1. Slot s, which may not come before
 * minute m, falls on t with the probability W(s + 1, t + gap) / W(s, m); the product over all slots is 1 / W(0, 0) for each
 * list. So slot s is the last t with W(s, t) > r, where r is uniform below W(s, m). The counts are doubles: below 2^53 they
 * are exact, and above it a probability is off by a few parts in 2^50. Addition and multiplication of doubles are the same
 * on every runtime, and so are the minutes.
 *
 * r comes from HMAC-SHA-256 with the secret as its key, of revision, user, date and the number of a block, 53 bits for each
 * slot. Without the secret one person's minutes say nothing of another's, nor one date's of the next.
 */
export function drawMinutes(windows: Windows, draw: Draw, date: string): readonly number[] {
  const last = drawn.get(draw);
  if (last?.windows === windows && last.date === date) return last.minutes;
  const random = drawNumbers(draw, date);
  let earliest = 0;
  const minutes = waysOf(windows).map(({ from, ways }) => {
    const first = Math.max(0, earliest - from);
    const minute = from + lastAbove(ways, first, random() * (ways[first] as number));
    earliest = minute + windows.gap;
    return minute;
  });
  drawn.set(draw, { windows, date, minutes });
  return minutes;
}

/**
 * The last date of each person and survey: it is drawn once for all of its slots, also while surveys with the same rule take
 * turns.
 */
const drawn = new WeakMap<Draw, { windows: Windows; date: string; minutes: readonly number[] }>();

/** The ways of one slot: `ways[n]` is W at minute `from + n`, up to the end of its window, where it is 0. */
interface Ways {
  from: number;
  ways: Float64Array;
}

/** Kept by rule, since the users of a survey share it. */
const known = new WeakMap<Windows, readonly Ways[]>();

function waysOf(windows: Windows): readonly Ways[] {
  const before = known.get(windows);
  if (before) return before;
  const slots = windows.list.flatMap(({ from, to, count }) =>
    Array.from({ length: count }, () => ({ from, to })),
  );
  const found: Ways[] = [];
  for (const { from, to } of slots.reverse()) {
    const next = found[0];
    const ways = new Float64Array(to - from + 1);
    for (let n = to - from - 1; n >= 0; n--)
      ways[n] = (ways[n + 1] as number) + (next ? waysFrom(next, from + n + windows.gap) : 1);
    found.unshift({ from, ways });
  }
  known.set(windows, found);
  return found;
}

const waysFrom = ({ from, ways }: Ways, minute: number) => ways[Math.max(0, minute - from)] ?? 0;

/** The last index from `low` on whose number is above `limit`. The numbers fall. */
function lastAbove(numbers: Float64Array, low: number, limit: number): number {
  let [first, last] = [low, numbers.length - 1];
  while (last - first > 1) {
    const middle = (first + last) >> 1;
    if ((numbers[middle] as number) > limit) first = middle;
    else last = middle;
  }
  return first;
}

/** The person's random numbers of an occasion, from 0 up to 1, of 53 bits, four from a digest. */
export function drawNumbers({ secret, user, revision }: Draw, occasion: string): () => number {
  // Hashing the key anew for each block would double the cost, and so would new objects.
  const keyed = hmac.create(sha256, utf8ToBytes(secret));
  const block = keyed.clone();
  const digest = new Uint8Array(sha256.outputLen);
  const bytes = new DataView(digest.buffer);
  let [blocks, position] = [0, digest.length];
  return () => {
    if (position === digest.length) {
      keyed._cloneInto(block);
      block.update(utf8ToBytes(`${revision}/${user}/${occasion}/${blocks++}`)).digestInto(digest);
      position = 0;
    }
    const [high, low] = [bytes.getUint32(position) & 0x1fffff, bytes.getUint32(position + 4)];
    position += 8;
    return (high * 2 ** 32 + low) / 2 ** 53;
  };
}
