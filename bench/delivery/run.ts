import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxEntry } from '../../tools/fakes/sns/state.ts';
import { inFolder } from '../support/folders.ts';
import { cpuOf, peakMemoryOf } from '../support/usage.ts';
import { membersOf, type Person } from './people.ts';
import type { DeliveryRun } from './results.ts';
import { openSns } from './sns.ts';
import type { RunningSystem, System } from './system.ts';

const pollMs = 25;
/** The service's clock may be moved, and is compared by the millisecond. */
const clockToleranceMs = 10;
const timeoutMs = (size: number) => 60_000 + 20 * size;

/** Sets up a system for `size` people, waits until they are due, and measures. @throws when a run is not complete */
export function runOnce(system: System, size: number): Promise<DeliveryRun> {
  return inFolder(async (folder) => {
    const people = membersOf(size);
    const sns = await openSns(folder, people);
    const running = await system.open({ folder, people, snsUrl: sns.url });
    try {
      const { end, ...used } = await watch(running, sns.pid, timeoutMs(size));
      await checkRecords(running, size);
      const pushes = await sns.pushes();
      return { ...timesOf(pushes, people, { due: running.due, end }), ...used };
    } finally {
      await running.close();
    }
  });
}

/** From the due instant to the last record. Polls seldom: the system shares the machine's cores. */
async function watch({ due, pids, settledAt, ended }: RunningSystem, snsPid: number, timeout: number) {
  let dead = false;
  ended.then(() => {
    dead = true;
  });
  if (Date.now() > due) throw new Error('people were due before the system was set up');
  await sleep(due - Date.now());
  const before = { cpu: cpuOf(pids), sns: cpuOf([snsPid]) };
  for (;;) {
    const end = await settledAt();
    if (end !== null) {
      const peakMemoryMb = peakMemoryOf(pids);
      const cpuSeconds = difference(cpuOf(pids), before.cpu);
      return { end, cpuSeconds, snsCpuSeconds: difference(cpuOf([snsPid]), before.sns), peakMemoryMb };
    }
    if (dead) throw new Error('a process of the system has ended');
    if (Date.now() - due > timeout) throw new Error(`not delivered within ${timeout / 1000} s`);
    await sleep(pollMs);
  }
}

const difference = (after: number | null, before: number | null) =>
  after === null || before === null ? null : after - before;

async function checkRecords({ records }: RunningSystem, size: number) {
  const { sent, planned } = await records();
  if (sent !== size || planned !== size)
    throw new Error(`of ${size} people ${sent} are recorded as sent and ${planned} have a successor`);
}

/** The first push to each phone: a repeated one replaces it on the phone. */
function firstPushes(pushes: InboxEntry[], people: readonly Person[]): InboxEntry[] {
  const byPhone = new Map(pushes.toReversed().map((push) => [push.endpointArn, push]));
  const missing = people.filter(({ endpoint }) => !byPhone.has(endpoint)).length;
  if (missing > 0) throw new Error(`${missing} of ${people.length} people got no push`);
  return [...byPhone.values()];
}

function timesOf(
  pushes: InboxEntry[],
  people: readonly Person[],
  { due, end }: { due: number; end: number },
) {
  const late = firstPushes(pushes, people)
    .map(({ at }) => Date.parse(at) - due)
    .sort((a, b) => a - b);
  const part = (p: number) => late[Math.ceil((late.length - 1) * p)] ?? 0;
  if (part(0) < -clockToleranceMs) throw new Error(`a push came ${-part(0)} ms before it was due`);
  const last = Math.max(end, ...pushes.slice(-1).map(({ at }) => Date.parse(at)));
  const durationMs = last - due;
  return {
    durationMs,
    pushesPerSecond: people.length / (durationMs / 1000),
    p50Ms: part(0.5),
    p99Ms: part(0.99),
    repeatedPushes: pushes.length - people.length,
  };
}
