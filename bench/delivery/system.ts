import type { Person } from './people.ts';

/** Where one run takes place: an empty folder, an SNS that knows the people's phones, and who they are. */
export interface Place {
  folder: string;
  people: readonly Person[];
  snsUrl: string;
}

/** What the store of a system says after the run. Each is `people.length` when all went well. */
export interface Books {
  /** People whose occurrence of the day is recorded as sent, exactly once. */
  sent: number;
  /** People who have exactly one next occurrence, on the day after. */
  planned: number;
}

/** A system that is set up, runs, and has everybody due at one instant. Instants are the machine's, epoch ms. */
export interface Contender {
  due: number;
  /** The heads of the process trees that belong to it: the service and its stores. */
  pids: readonly number[];
  /** When the last one was recorded and its successor planned; null as long as one is missing. Cheap. */
  settledAt(): Promise<number | null>;
  /** Resolves when one of its processes has ended, which none should. */
  ended: Promise<unknown>;
  books(): Promise<Books>;
  close(): Promise<void>;
}

export interface System {
  name: string;
  /** In words for the table: what runs where. */
  what: string;
  /** What is not installed that it needs; null: nothing. */
  missing(): string | null;
  /** More people than it carries at once, as runs have shown; each try would take minutes. */
  mostPeople?: number;
  /** How long after the due instant what is not delivered counts as never delivered; by default, it grows with the size. */
  patienceMs?: number;
  open(place: Place): Promise<Contender>;
}
