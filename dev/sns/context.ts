import type { Faults } from './faults.ts';
import type { Credentials } from './sigv4.ts';
import type { State } from './state.ts';

/** What a running stand-in consists of. */
export interface Context {
  state: State;
  faults: Faults;
  credentials: Credentials;
  accountId: string;
  /** The clock: milliseconds since the Unix epoch. */
  now: () => number;
  /** Aborted when the server closes: delays end, and what they delayed is not done. */
  closing: AbortSignal;
}
