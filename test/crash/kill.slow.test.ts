import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  type Crowd,
  checkDelivery,
  type History,
  historiesOf,
  inboxes,
  newCrowd,
  retriesIn,
} from '../conformance/support/crowds.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { eventually, sleep } from '../support/eventually.ts';
import { created } from '../support/people.ts';
import { Random } from '../support/random.ts';
import { draws } from '../support/seed.ts';
import { diary } from '../support/studies.ts';
import { type Ledger, newLedger, write } from './load.ts';
import { newTarget, type Target } from './target.ts';

/** Each lane has a file of its own, so that a machine with two cores takes half as long. */
const lanes = [
  { runtime: 'node', seed: 1, kills: draws(6) },
  { runtime: 'deno', seed: 3, kills: draws(5) },
] as const;

const members = 10;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** From one survey to the next: longer than any life, so that each has one that is due. */
const paceMinutes = 5;
/** The process starts this long before something is due: about what its start takes. */
const aheadMs = 300;
/** A life ends a moment after some writes and pushes: counted, so that it is as eventful on a busy machine. */
const maxWrites = 16;
const maxPushes = members;
const maxMomentMs = 30;
const writers = 3;

test.concurrent.each(lanes)(
  '$runtime, killed $kills times (seed $seed): nothing acknowledged is missing, no occurrence lost or repeated loudly',
  async ({ runtime, seed, kills }) => {
    const target = await newTarget(runtime);
    try {
      const random = new Random(seed);
      const ledger = newLedger();
      const surveys = kills + 1;
      const crowd = await prepare(target, surveys);
      const lives: Life[] = [];
      for (let n = 0; n < kills; n++) {
        const born = Date.now();
        lives.push({ born, lines: await live(target, crowd, ledger, { due: dueAt(n), random }) });
        // Pushes of the dead process may still be on their way: they must not be taken for the next one's.
        await eventually('its last push has arrived', async () => target.sns.busy() === 0);
      }
      const born = Date.now();
      const running = target.spawn(dueAt(kills));
      lives.push({ born, lines: running.lines });
      await target.ready(running);
      const repeated = await checkOccurrences(crowd, lives);
      await checkWrites(ledger, crowd);
      expect(await running.end('SIGTERM')).toBe(0);
      await checkFile(target);
      console.info(
        JSON.stringify({
          seed,
          acknowledged: ledger.acknowledged,
          pushes: target.sns.inbox.list().length,
          repeated,
        }),
      );
    } finally {
      await target.dispose();
    }
  },
);

/** Each life has one survey due at its beginning, and what the lives before it left. */
const dueAt = (n: number) => firstDay + n * paceMinutes * minuteMs;
const firstDay = Math.ceil(Date.now() / dayMs) * dayMs + 9 * 60 * minuteMs;

async function prepare(target: Target, surveys: number): Promise<Crowd> {
  const running = target.spawn(firstDay - 60 * minuteMs);
  await target.ready(running);
  const crowd = await newCrowd(newWorld(target), members, 'UTC');
  for (let n = 0; n < surveys; n++) {
    const reminders = {
      type: 'rolling',
      recurrence: `${(n * paceMinutes) % 60} ${9 + Math.floor((n * paceMinutes) / 60)} * * *`,
      expiresAfter: 1440,
      notification: { subject: 'Diary', body: `Number ${n}` },
    };
    const { owner, investigation } = crowd;
    created(
      await owner.post(`/investigation/${investigation}/survey`, { name: `${n}`, items: diary, reminders }),
    );
  }
  await eventually('all planned', async () =>
    (await historiesOf(crowd)).every((history) => history.length === surveys),
  );
  expect(await running.end('SIGTERM')).toBe(0);
  return crowd;
}

interface Life {
  /** When the process was started, by the machine's clock. */
  born: number;
  /** The log of the process. */
  lines: string[];
}

/** Starts, works, and is killed at a random moment, now and then before it is ready. Resolves to its log. */
async function live(
  target: Target,
  crowd: Crowd,
  ledger: Ledger,
  { due, random }: { due: number; random: Random },
): Promise<string[]> {
  const running = target.spawn(due - aheadMs);
  if (random.chance(0.1)) {
    await sleep(random.fraction() * 2 * aheadMs);
    await running.end('SIGKILL');
    return running.lines;
  }
  await target.ready(running);
  const pushes = () => target.sns.inbox.list().length;
  const enough = {
    writes: ledger.acknowledged + random.int(maxWrites),
    pushes: pushes() + random.int(maxPushes),
  };
  const work = Array.from({ length: writers }, () => write(ledger, crowd.owner, crowd.investigation, random));
  let ended = false;
  const died = Promise.all(work).finally(() => {
    ended = true;
  });
  while (!ended && (ledger.acknowledged < enough.writes || pushes() < enough.pushes)) await sleep(1);
  expect(ended, 'it ended by itself').toBe(false);
  await sleep(random.fraction() * maxMomentMs);
  await running.end('SIGKILL');
  await died;
  return running.lines;
}

const sentOf = (histories: History[][]) => histories.flat().filter(({ state }) => state === 'sent').length;

/**
 * Every member got every occurrence: recorded as sent once, and pushed again only by a later process, under the same
 * collapse id. Resolves with the number of pushes that were repeated.
 */
async function checkOccurrences(crowd: Crowd, lives: Life[]): Promise<number> {
  const expected = members * lives.length;
  await eventually('all sent', async () => sentOf(await historiesOf(crowd)) >= expected);
  const histories = await historiesOf(crowd);
  for (const history of histories) {
    expect(history.filter(({ state }) => state !== 'sent' && state !== 'scheduled')).toEqual([]);
    expect(new Set(history.map(({ survey, on }) => `${survey} ${on}`)).size).toBe(history.length);
    expect(history.filter(({ state }) => state === 'scheduled')).toHaveLength(lives.length);
  }
  expect(sentOf(histories)).toBe(expected);
  const pushes = await inboxes(crowd);
  for (const [n, history] of histories.entries()) checkDelivery(history, pushes[n] ?? []);

  // Only the death of a process between push and record lets the next one repeat a push.
  const known = new Set<string>();
  let repeated = 0;
  for (const [n, { born, lines }] of lives.entries()) {
    const died = lives[n + 1]?.born ?? Number.POSITIVE_INFINITY;
    const own = pushes
      .flat()
      .filter(({ at }) => Date.parse(at) >= born && Date.parse(at) < died)
      .map(({ data }) => data.notification as string);
    const retries = retriesIn(lines);
    for (const notification of new Set(own)) {
      const times = own.filter((one) => one === notification).length;
      expect(times, `pushes of ${notification} by one process`).toBeLessThanOrEqual(
        1 + (retries.get(notification) ?? 0),
      );
    }
    const again = [...new Set(own)].filter((notification) => known.has(notification));
    for (const notification of own) known.add(notification);
    repeated += again.length;
  }
  return repeated;
}

async function checkWrites(ledger: Ledger, { owner, investigation }: Crowd) {
  const { body } = await owner.get(`/investigation/${investigation}/cases`);
  const cases = new Map<string, { label: string; lockedAt?: string }>(
    body.cases.map((one: { identifier: string }) => [one.identifier, one]),
  );
  for (const [identifier, labels] of ledger.labels) {
    if (labels.size === 0) continue;
    expect(labels).toContain(cases.get(identifier)?.label);
  }
  for (const identifier of ledger.locked) expect(cases.get(identifier)?.lockedAt).toBeDefined();
  const log = await owner.get(`/investigation/${investigation}/activity/verify`);
  expect(log.body).toMatchObject({ valid: true });
  const locks = [...cases.values()].filter(({ lockedAt }) => lockedAt !== undefined).length;
  const entries = await allLocks(owner, investigation);
  expect(new Set(entries).size).toBe(locks);
}

/** The cases that the log says were locked. */
async function allLocks(owner: Crowd['owner'], investigation: string): Promise<string[]> {
  const path = `/investigation/${investigation}/activity?action=items.locked&limit=1000`;
  const found: string[] = [];
  for (let next: string | undefined = ''; next !== undefined; ) {
    const { body } = await owner.get(next ? `${path}&cursor=${next}` : path);
    found.push(...body.activities.flatMap((entry: { cases: string[] }) => entry.cases));
    next = body.next;
  }
  return found;
}

async function checkFile({ database }: Target) {
  const file = new DatabaseSync(database);
  expect(file.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  file.close();
}
