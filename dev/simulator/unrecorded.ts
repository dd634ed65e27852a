import type { Unrecorded } from '../../src/services.ts';
import type { Scenario } from './scenario.ts';
import { never, type Task, type World } from './world.ts';

/** Pushes without a record, kept by the process, or by the objects of Cloudflare, whose storage outlives it. */
export function createUnrecorded(world: World, alarms: Scenario['alarms']): Unrecorded & { crashed(): void } {
  const kept = new Map<string, { text: string; task: Task | undefined }>();
  return {
    read: async (user) => (world.task()?.dead ? never<null>() : (kept.get(user)?.text ?? null)),
    async write(user, text) {
      const task = world.task();
      if (task?.dead) return never<void>();
      if (text === null) kept.delete(user);
      else kept.set(user, { text, task });
    },
    isFull: () => false,
    crashed() {
      if (alarms !== 'timer') return;
      // The runs count as dead with their process, since nobody knows of their pushes any more.
      for (const { task } of kept.values()) if (task) task.dead = true;
      kept.clear();
    },
  };
}
