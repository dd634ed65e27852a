import type { ScenarioFile } from './scenario.ts';

/** A trouble that meets a herd. Times are seconds after the reminders are due. */
export interface Trouble {
  faults?(after: (seconds: number) => string): NonNullable<ScenarioFile['faults']>;
  /** Of all delivery objects. */
  resets?: readonly number[];
  /** Objects change their version one by one. */
  rollout?: { from: number; seconds: number };
  /** Nobody can be reminded for so long, and how long it lasts from then on. */
  heldBackFor?: number;
  lasts?: number;
}

const hour = 3600;

export const troubles = {
  /** All tasks die, with all they know, while delivery objects are reset around it. */
  death: {
    faults: (after) => [{ what: 'crash', point: 'now', at: after(3), downSeconds: 1 }],
    resets: [2, 4],
  },
  /** The database refuses everything for fifteen seconds. */
  refusal: {
    faults: (after) => [{ what: 'database', is: 'overloaded', from: after(2), until: after(17) }],
  },
  'lost-alarms': {
    faults: (after) => [{ what: 'alarms', is: 'lost', from: after(-60), until: after(hour) }],
  },
  /** Neither alarms nor sweeps come for a day, and then all alarms at once. */
  'held-alarms': {
    faults: (after) => [
      { what: 'alarms', is: 'held', from: after(-60), until: after(23 * hour) },
      { what: 'sweeps', is: 'lost', from: after(-60), until: after(23 * hour) },
    ],
    heldBackFor: 23 * hour,
    lasts: hour / 2,
  },
  /** A deployment that takes ten seconds. */
  'two-versions': { rollout: { from: -1, seconds: 10 } },
} satisfies Record<string, Trouble>;

export type TroubleName = keyof typeof troubles;
