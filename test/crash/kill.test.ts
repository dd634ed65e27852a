import { createClient } from '@libsql/client';
import { expect, test } from 'vitest';
import {
  type Crowd,
  checkDelivery,
  type History,
  historyOf,
  inboxes,
  newCrowd,
} from '../conformance/support/crowds.ts';
import type { World } from '../conformance/support/people.ts';
import { eventually, sleep } from '../conformance/support/phones.ts';
import { created, diary } from '../conformance/support/studies.ts';
import { Transcript } from '../conformance/support/transcripts.ts';
import { type Ledger, newLedger, write } from './load.ts';
import { seeded } from './random.ts';
import { newVictim, type Victim } from './victim.ts';

/** A hundred in all. Each lane has a file of its own, so that a machine with two cores takes half as long. */
const lanes = [
  { runtime: 'node', seed: 1, kills: 35 },
  { runtime: 'node', seed: 2, kills: 35 },
  { runtime: 'deno', seed: 3, kills: 30 },
] as const;

const members = 10;
const surveys = 10;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** So long before something is due the process is started: about what its start takes. */
const aheadMs = 300;
/** A life ends a moment after so many writes at most: counted, so that it is as eventful on a busy machine. */
const mostWrites = 16;
const longestMomentMs = 30;
const writers = 3;

test.concurrent.each(lanes)(
  '$runtime, killed $kills times (seed $seed): nothing acknowledged is missing, no occurrence lost or repeated loudly',
  async ({ runtime, seed, kills }) => {
    const victim = await newVictim(runtime);
    try {
      const world = {
        url: () => victim.url,
        snsUrl: victim.sns.url,
        transcript: new Transcript({ recording: false }),
      };
      const random = seeded(seed);
      const ledger = newLedger();
      const crowd = await prepare(victim, world);
      const lives: Life[] = [];
      for (let n = 0; n < kills; n++) {
        const life: Life = { born: Date.now(), interrupted: null };
        lives.push(life);
        life.interrupted = await live(victim, crowd, ledger, { due: dueAt(n), random });
        // What the dead process sent may still be on its way: it must not be taken for the next one's.
        await eventually('its last push has arrived', async () => victim.sns.busy() === 0);
      }
      const born = Date.now();
      const running = victim.spawn(dueAt(kills));
      lives.push({ born, interrupted: await victim.ready(running) });
      const repeated = await checkOccurrences(world, crowd, lives);
      await checkWrites(ledger, crowd);
      expect(await running.end('SIGTERM')).toBe(0);
      await checkFile(victim);
      console.info(
        JSON.stringify({
          seed,
          acknowledged: ledger.acknowledged,
          pushes: victim.sns.inbox.list().length,
          repeated,
        }),
      );
    } finally {
      await victim.dispose();
    }
  },
);

/** Each life has one survey of the day due at its beginning, and what the lives before it left. */
const dueAt = (n: number) => firstDay + Math.floor(n / surveys) * dayMs + (n % surveys) * minuteMs;
const firstDay = Math.ceil(Date.now() / dayMs) * dayMs + 9 * 60 * minuteMs;

async function prepare(victim: Victim, world: World): Promise<Crowd> {
  const running = victim.spawn(firstDay - 60 * minuteMs);
  await victim.ready(running);
  const crowd = await newCrowd(world, members, 'UTC');
  for (let n = 0; n < surveys; n++) {
    const reminders = {
      type: 'rolling',
      recurrence: `${n} 9 * * *`,
      expiresAfter: 1440,
      notification: { subject: 'Diary', body: `Number ${n}` },
    };
    const { owner, investigation } = crowd;
    created(
      await owner.post(`/investigation/${investigation}/survey`, { name: `${n}`, items: diary, reminders }),
    );
  }
  await eventually('all planned', async () => {
    const histories = await Promise.all(crowd.members.map(({ person }) => historyOf(person)));
    return histories.every((history) => history.length === surveys);
  });
  expect(await running.end('SIGTERM')).toBe(0);
  return crowd;
}

interface Life {
  /** When the process was started, by the machine's clock. */
  born: number;
  /** What it said, at its start, that the one before had left unrecorded; null: it did not live to say it. */
  interrupted: number | null;
}

/** Starts, works, and is killed at a random moment; now and then before it is ready. Resolves with what it said. */
async function live(
  victim: Victim,
  crowd: Crowd,
  ledger: Ledger,
  { due, random }: { due: number; random: () => number },
): Promise<number | null> {
  const running = victim.spawn(due - aheadMs);
  if (random() < 0.1) {
    await sleep(random() * 2 * aheadMs);
    await running.end('SIGKILL');
    return null;
  }
  const interrupted = await victim.ready(running);
  const enough = ledger.acknowledged + Math.floor(random() * mostWrites);
  const work = Array.from({ length: writers }, () => write(ledger, crowd.owner, crowd.investigation, random));
  const died = Promise.all(work);
  while (ledger.acknowledged < enough) await Promise.race([sleep(1), died]);
  await sleep(random() * longestMomentMs);
  await running.end('SIGKILL');
  await died;
  return interrupted;
}

/**
 * Every member got every occurrence: sent once by the books, and pushed again only by a later process, under the same
 * collapse id and within what it said at its start. Resolves with the number of pushes that were repeated.
 */
async function checkOccurrences(world: World, crowd: Crowd, lives: Life[]): Promise<number> {
  const expected = members * lives.length;
  const sentOf = (histories: History[][]) => histories.flat().filter(({ state }) => state === 'sent').length;
  const read = () => Promise.all(crowd.members.map(({ person }) => historyOf(person)));
  await eventually('all sent', async () => sentOf(await read()) >= expected, 20_000);
  const histories = await read();
  for (const history of histories) {
    expect(history.filter(({ state }) => state !== 'sent' && state !== 'scheduled')).toEqual([]);
    expect(new Set(history.map(({ survey, on }) => `${survey} ${on}`)).size).toBe(history.length);
    expect(history.filter(({ state }) => state === 'scheduled')).toHaveLength(surveys);
  }
  expect(sentOf(histories)).toBe(expected);
  const pushes = await inboxes(world, crowd);
  for (const [n, history] of histories.entries()) checkDelivery(history, pushes[n] ?? []);
  // Only the death of a process between publish and settle lets the next one repeat a push: none does so itself.
  const lifeOf = (at: string) => lives.findLastIndex(({ born }) => born <= Date.parse(at));
  const byLife = pushes.flat().map(({ at, data }) => `${lifeOf(at)} ${data.notification}`);
  expect(new Set(byLife).size).toBe(byLife.length);

  const known = new Set<unknown>();
  const repeated = lives.map((_, n) => {
    const own = pushes.flat().filter(({ at }) => lifeOf(at) === n);
    const again = own.filter(({ data }) => known.has(data.notification)).length;
    for (const { data } of own) known.add(data.notification);
    return again;
  });
  const unannounced = lives.filter(({ interrupted }, n) => (repeated[n] ?? 0) > (interrupted ?? Infinity));
  expect(unannounced).toEqual([]);
  return repeated.reduce((sum, count) => sum + count, 0);
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

async function checkFile({ database }: Victim) {
  const client = createClient({ url: `file:${database}` });
  const { rows } = await client.execute('pragma integrity_check');
  client.close();
  expect(rows.map((row) => row.integrity_check)).toEqual(['ok']);
}
