import { afterAll, beforeAll, expect, test } from 'vitest';
import { open, runtimes, type Service } from './runtimes.ts';
import { TooLate, untilInTime } from './times.ts';
import { Transcript } from './transcripts.ts';
import { newWorld, type ServiceWorld } from './worlds.ts';

export type Scenario = (world: ServiceWorld) => Promise<void>;

/**
 * A test for each scenario: the same requests, over HTTP only, to the three runtimes; the answers must be equal.
 * Permitted differences are listed in one place, at `serverHeaders`. Returns the statuses of the answers.
 */
export function expectAgreement(scenarios: Record<string, Scenario>): Set<number> {
  const services: Service[] = [];
  beforeAll(async () => {
    services.push(...(await Promise.all(runtimes.map((runtime) => open(runtime)))));
  });
  afterAll(() => Promise.all(services.map((service) => service.dispose())));

  const seen = new Set<number>();
  test.concurrent.each(Object.entries(scenarios))('%s', async (_, scenario) => {
    const transcripts = await Promise.all(services.map((service) => playInTime(service, scenario)));
    const [reference, ...others] = transcripts;
    if (!reference) throw new Error('no runtime');
    expect(reference.length).toBeGreaterThan(0);
    for (const { status } of reference) seen.add(status);
    for (const [n, entries] of others.entries())
      expect(entries, `${runtimes[n + 1]} answers as ${runtimes[0]}`).toEqual(reference);
  });
  return seen;
}

/** In time; again on a service of its own, since names may be taken only once. */
async function playInTime(first: Service, scenario: Scenario) {
  let next: Service | undefined = first;
  return untilInTime(async () => {
    const service = next ?? (await open(first.runtime));
    next = undefined;
    try {
      return await play(service, scenario);
    } finally {
      if (service !== first) await service.dispose();
    }
  });
}

async function play(service: Service, scenario: Scenario) {
  const transcript = new Transcript();
  try {
    await scenario(newWorld(service, transcript));
  } catch (error) {
    if (error instanceof TooLate) throw error;
    const log = service.process.lines.filter((line) => !line.includes('"event":"request"')).slice(-20);
    const place = `on ${service.runtime}, after ${transcript.entries.at(-1)?.request}`;
    throw new Error([place, ...log].join('\n'), { cause: error });
  }
  return transcript.entries;
}
