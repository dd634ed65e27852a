import type { Turns } from '../src/reminders/deliver.ts';
import type { World } from './world.ts';

/** Turns whose task knows when the database refused their record, and when it took it. */
export const noteRecords = (world: World, turns: Turns): Turns => ({
  claim: turns.claim,
  async settle(record, users) {
    const task = world.task();
    const note = (taken: boolean) => task?.records.push({ at: world.at(), taken });
    try {
      const looks = await turns.settle(record, users);
      note(true);
      return looks;
    } catch (error) {
      note(false);
      throw error;
    }
  },
});
