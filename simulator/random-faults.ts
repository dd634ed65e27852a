import type { Draws } from './random-draws.ts';
import { iso } from './random-moments.ts';
import type { Period, RandomMember } from './random-people.ts';
import { crashPoints, type ScenarioFile } from './scenario.ts';

const minuteMs = 60_000;

type Fault = NonNullable<ScenarioFile['faults']>[number];

/** A fault that begins at a `moment` (epoch ms), or minutes before it. */
export function randomFault({ below, one, chance }: Draws, moment: () => number): Fault {
  const start = moment() - (chance(0.5) ? below(5) * minuteMs : 0);
  const lasting = (minutes: number) => ({ from: iso(start), until: iso(start + minutes * minuteMs) });
  const share = one([0.2, 0.5, 1]);
  const faults: (() => Fault)[] = [
    () => ({ what: 'relay', is: 'throttled', share, ...lasting(10) }),
    () => ({ what: 'relay', is: 'down', share, ...lasting(1 + below(120)) }),
    () => ({ what: 'relay', is: 'slow', ms: one([300, 2000, 5000]), share, ...lasting(20) }),
    () => ({ what: 'relay', is: 'misconfigured', share, ...lasting(10) }),
    () => ({
      what: 'database',
      is: one(['overloaded', 'lost-before-commit', 'lost-after-commit', 'timeout']),
      share: one([0.1, 0.3, 1]),
      ...lasting(1 + below(10)),
    }),
    () => ({ what: 'database', is: 'slow', ms: one([50, 500, 3000]), share, ...lasting(30) }),
    () => ({
      what: 'alarms',
      is: one(['lost', 'stuck', 'twice']),
      share,
      ...lasting(60 * (1 + below(24))),
    }),
    () => ({
      what: 'alarms',
      is: 'late',
      ms: one([5_000, 59_000, 62_000, 180_000]),
      share,
      ...lasting(600),
    }),
    () => ({ what: 'sweeps', is: one(['lost', 'twice']), share, ...lasting(60) }),
    () => ({ what: 'crash', at: iso(start), point: one(crashPoints), downSeconds: one([0, 2, 60, 3600]) }),
    () => ({ what: 'crash', at: iso(start), point: one(crashPoints), downSeconds: one([0, 2]) }),
    () => ({ what: 'clock', at: iso(start), minutes: one([60, -60, 7, -7]) }),
    () => ({ what: 'deploy', at: iso(start) }),
  ];
  return one(faults)();
}

/** Hours in which nothing can be written, and deaths of the process meanwhile. */
export function randomFullDisk({ below, some }: Draws, moment: () => number): Fault[] {
  const start = moment();
  const minutes = 30 + below(330);
  const within = () => iso(start + below(minutes) * minuteMs);
  return [
    { what: 'database', is: 'full', from: iso(start), until: iso(start + minutes * minuteMs) },
    ...some(3, (): Fault => ({ what: 'crash', at: within(), point: 'now', downSeconds: below(120) })),
  ];
}

/** The relay refuses pushes for half of a `period`, so that retries and expiries are met whatever else is drawn. */
export function randomOutage({ below, one }: Draws, { from, hours }: Period): Fault {
  const start = from + below(30 * hours) * minuteMs;
  return {
    what: 'relay',
    is: one(['down', 'throttled', 'misconfigured']),
    share: one([0.5, 1]),
    from: iso(start),
    until: iso(start + 30 * hours * minuteMs),
  };
}

/** New rules for the zone of somebody's phone. */
export const randomUpgrade = ({ one }: Draws, members: RandomMember[], within: () => string): Fault => ({
  what: 'zones',
  at: within(),
  timeZone: one(members.flatMap((member) => member.phones)).timeZone,
  minutes: one([60, 60, 30, -60]),
});
