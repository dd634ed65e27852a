import type { Fault } from './scenario.ts';
import type { World } from './world.ts';

type Kind = 'relay' | 'database' | 'alarms' | 'sweeps';
type Of<K> = Extract<Fault, { what: K }>;
export type CrashPoint = Of<'crash'>['point'];

/** The faults and their times, as the ports ask for them. */
export interface Faults {
  /** The fault of that kind that hits this call, if any. */
  active<K extends Kind>(what: K, which?: (fault: Of<K>) => boolean): Of<K> | undefined;
  /** The crash that waits for this point, if any. It happens once. */
  takeCrash(point: CrashPoint): Of<'crash'> | undefined;
}

/** `draw` decides for faults that hit only a share of the calls; it is told their kind. */
export function createFaults(
  world: World,
  all: () => readonly Fault[],
  draw: (what: string) => number,
): Faults {
  const done = new Set<Fault>();
  return {
    active: <K extends Kind>(what: K, which: (fault: Of<K>) => boolean = () => true) =>
      all().find(
        (fault): fault is Of<K> =>
          fault.what === what &&
          'from' in fault &&
          which(fault as Of<K>) &&
          fault.from <= world.at() &&
          world.at() < fault.until &&
          (fault.share === 1 || draw(what) < fault.share),
      ),
    takeCrash(point) {
      const crash = all().find(
        (fault): fault is Of<'crash'> =>
          fault.what === 'crash' && fault.point === point && fault.at <= world.at() && !done.has(fault),
      );
      if (crash) done.add(crash);
      return crash;
    },
  };
}
