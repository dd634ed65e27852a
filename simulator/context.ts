import type { SimulatedDatabase } from './database.ts';
import type { People, Refusal } from './people.ts';
import type { SimulatedRelay } from './push.ts';
import type { Records } from './records.ts';
import type { Scenario } from './scenario.ts';
import type { Server } from './server.ts';
import type { World } from './world.ts';

/** The world in which the simulated people act. */
export interface Context {
  world: World;
  people: People;
  relay: SimulatedRelay;
  records: Records;
}

/** A run at its end. */
export interface Finished extends Context {
  scenario: Scenario;
  server: Server;
  database: SimulatedDatabase;
  refusals: Refusal[];
  /** The faults that were seen from event to event, which the end may hide, in sentences. */
  untraced: string[];
}

/** The input of reports and tests. */
export interface Run extends Finished {
  violations: string[];
}
