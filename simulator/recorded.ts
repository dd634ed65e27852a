import type { SliceStore } from '../src/reminders/deliver.ts';
import type { World } from './world.ts';

/** Slices whose task knows when the database refused their record, and when it took it. */
export const noteRecords = (world: World, slices: SliceStore): SliceStore => ({
  claim: slices.claim,
  async settle(record, users) {
    const task = world.task();
    const note = (taken: boolean) => task?.records.push({ at: world.at(), taken });
    try {
      const polls = await slices.settle(record, users);
      note(true);
      return polls;
    } catch (error) {
      note(false);
      throw error;
    }
  },
});
