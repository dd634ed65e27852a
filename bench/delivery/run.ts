import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxEntry } from '../../dev/sns/state.ts';
import { inFolder } from './folders.ts';
import { newPeople, type Person } from './people.ts';
import { stopAll } from './processes.ts';
import type { DeliveryRun } from './results.ts';
import { openSns } from './sns.ts';
import type { Contender, System } from './system.ts';
import { cpuOf, peakMemoryOf } from './usage.ts';

const lookEveryMs = 25;
/** Clocks are compared by the millisecond, and one of them may be moved. */
const clockToleranceMs = 10;
const patienceMs = (size: number) => 60_000 + 20 * size;

/** Sets up one system for so many people, waits until they are due, and measures. @throws when anything is amiss */
export function runOnce(system: System, size: number): Promise<DeliveryRun> {
  return inFolder(async (folder) => {
    try {
      const people = newPeople(size);
      const sns = await openSns(folder, people);
      const contender = await system.open({ folder, people, snsUrl: sns.url });
      try {
        const { end, ...used } = await watch(contender, sns.pid, system.patienceMs ?? patienceMs(size));
        await checkBooks(contender, size);
        const pushes = await sns.pushes();
        return { ...timesOf(pushes, people, { due: contender.due, end }), ...used };
      } finally {
        await contender.close();
      }
    } finally {
      await stopAll();
    }
  });
}

/** From the due instant to the last record. Looks seldom, and at little: two cores have to serve everybody. */
async function watch({ due, pids, settledAt, ended }: Contender, snsPid: number, patience: number) {
  let dead = false;
  ended.then(() => {
    dead = true;
  });
  if (Date.now() > due) throw new Error('everybody was due before everything was set up');
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
    if (Date.now() - due > patience) throw new Error(`not delivered within ${patience / 1000} s`);
    await sleep(lookEveryMs);
  }
}

const difference = (after: number | null, before: number | null) =>
  after === null || before === null ? null : after - before;

async function checkBooks({ books }: Contender, size: number) {
  const { sent, planned } = await books();
  if (sent !== size || planned !== size)
    throw new Error(`of ${size} people ${sent} are recorded as sent and ${planned} have a successor`);
}

/** The first push to each phone: a phone shows a repeated one in its place. */
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
