import type { Person } from './people.ts';

/** The start of a run: an empty folder, the people, and an SNS that knows their phones. */
export interface Setup {
  folder: string;
  people: readonly Person[];
  snsUrl: string;
}

/** The contents of a system's store after the run. A complete run has `people.length` of each. */
export interface Records {
  /** People whose occurrence of the day is recorded as sent exactly once. */
  sent: number;
  /** People who have exactly one next occurrence, on the day after. */
  planned: number;
}

/** A running system in which everyone is due at one instant. Instants are by the machine's clock, epoch ms. */
export interface RunningSystem {
  due: number;
  /** The roots of its process trees: the service and its stores. */
  pids: readonly number[];
  /** When the last push was recorded and its successor planned; null while one is missing. Cheap to ask. */
  settledAt(): Promise<number | null>;
  /** Resolves when one of its processes ends, which is a failure. */
  ended: Promise<unknown>;
  records(): Promise<Records>;
  close(): Promise<void>;
}

export interface System {
  name: string;
  /** The parts and their runtimes, for the table. */
  what: string;
  /** Missing requirements; null: none. */
  missing(): string | null;
  open(setup: Setup): Promise<RunningSystem>;
}
