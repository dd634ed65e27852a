import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './scenarios/clients.ts';
import { devices } from './scenarios/devices.ts';
import { identity } from './scenarios/identity.ts';
import { lists } from './scenarios/lists.ts';
import { locking } from './scenarios/locking.ts';
import { faults, reminders } from './scenarios/reminders.ts';
import { visibility } from './scenarios/visibility.ts';
import { wholeStudy } from './scenarios/whole-study.ts';
import type { World } from './support/people.ts';
import { open, runtimes, type Service } from './support/runtimes.ts';
import { Transcript } from './support/transcripts.ts';

/*
 * The same requests, over HTTP and nothing else, to the three runtimes; the answers must be equal. What may differ is
 * listed in one place, at `serverHeaders`. Besides: workerd's alarms are spread over two seconds, and its crons are
 * not fired by the local tools, so that nothing here relies on a sweep.
 */
const services: Service[] = [];

beforeAll(async () => {
  services.push(...(await Promise.all(runtimes.map(open))));
}, 60_000);

afterAll(() => Promise.all(services.map((service) => service.dispose())));

const seen = new Set<number>();
const scenarios = { clients, reminders, faults, identity, visibility, locking, lists, devices, wholeStudy };

test.concurrent.each(Object.entries(scenarios))(
  '%s',
  async (_, scenario) => {
    const transcripts = await Promise.all(services.map((service) => play(service, scenario)));
    const [reference, ...others] = transcripts;
    if (!reference) throw new Error('no runtime');
    expect(reference.length).toBeGreaterThan(0);
    for (const { status } of reference) seen.add(status);
    for (const [n, entries] of others.entries())
      expect(entries, `${runtimes[n + 1]} answers as ${runtimes[0]}`).toEqual(reference);
  },
  150_000,
);

test('the scenarios met every kind of answer', () => {
  const expected = [200, 201, 202, 204, 400, 401, 403, 404, 409, 412, 413, 415, 423, 503];
  expect(expected.filter((status) => !seen.has(status))).toEqual([]);
});

async function play(service: Service, scenario: (world: World) => Promise<void>) {
  const transcript = new Transcript();
  try {
    await scenario({ url: () => service.url, snsUrl: service.sns.url, transcript });
  } catch (error) {
    const log = service.process.lines.filter((line) => !line.includes('"event":"request"')).slice(-20);
    const place = `on ${service.runtime}, after ${transcript.entries.at(-1)?.request}`;
    throw new Error([place, ...log].join('\n'), { cause: error });
  }
  return transcript.entries;
}
