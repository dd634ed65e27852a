import type { SliceStore } from '../src/reminders/deliver.ts';

/** A deployment: each object is restarted with the next version at a moment of its own. */
export interface Rollout {
  /** True time. */
  from: number;
  ms: number;
}

/** When an object gets the next version (true time), by its place among all of its kind, from 0 to 1. Absent: never. */
export const renewedAt = (rollout: Rollout | undefined, place: number): number =>
  rollout ? rollout.from + place * rollout.ms : Number.POSITIVE_INFINITY;

/** The place of a user's object. */
export const placeOf = (user: string): number => Number.parseInt(user.slice(-4), 16) / 0x10000;

/** The next version adds fields, of which the present one knows nothing. */
const added = { ofTheNextVersion: [{ field: 1 }] };

/** Data between two objects is plain. */
const carried = <T extends object>(value: T, isNext: boolean): T =>
  structuredClone(isNext ? { ...value, ...added } : value);

/** The turns of a user's object through a delivery object. Each end may have either version. */
export const betweenVersions = (
  slices: SliceStore,
  { isUserNext, isObjectNext }: Record<'isUserNext' | 'isObjectNext', () => boolean>,
): SliceStore => ({
  async claim(who) {
    const claim = await slices.claim(who);
    const isNext = isObjectNext();
    return carried({ ...claim, rows: claim.rows.map((row) => carried(row, isNext)) }, isNext);
  },
  async settle(record, users) {
    const isNext = isUserNext();
    const cursors = record.cursors.map((cursor) => carried(cursor, isNext));
    const polls = await slices.settle(carried({ ...record, cursors }, isNext), users);
    return polls.map((poll) => carried(poll, isObjectNext()));
  },
});
