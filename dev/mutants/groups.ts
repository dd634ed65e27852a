import { compliance } from './compliance.ts';
import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import { invitations } from './invitations.ts';
import { locks } from './locks.ts';
import { maintenance } from './maintenance.ts';
import type { Mutant } from './mutant.ts';
import { planningFaults as planning } from './planning.ts';
import { trials } from './trials.ts';
import { visibility } from './visibility.ts';

export const groups: Readonly<Record<string, readonly Mutant[]>> = {
  locks,
  delivery,
  planning,
  devices,
  visibility,
  invitations,
  maintenance,
  trials,
  compliance,
};
