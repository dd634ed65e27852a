import { delivery } from './delivery.ts';
import { devices } from './devices.ts';
import { locks } from './locks.ts';
import type { Mutant } from './mutant.ts';
import { planningFaults as planning } from './planning.ts';
import { visibility } from './visibility.ts';

export const groups: Readonly<Record<string, readonly Mutant[]>> = {
  locks,
  delivery,
  planning,
  devices,
  visibility,
};
