import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oddity, type OddReceiver, startOddReceiver } from '../support/odd-receiver.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { open, runtimes } from './support/runtimes.ts';
import { newWorld } from './support/worlds.ts';

/** The ways of the receivers of a whole service, each webhook with its own, and the status that each is given. */
const odd = {
  switches: 101,
  continues: null,
  hints: null,
  heads: null,
  'half-closes': null,
  'resets-after-headers': 200,
  endless: 200,
  bombs: 200,
  redirects: 307,
} satisfies Partial<Record<Oddity, number | null>>;

let receiver: OddReceiver;
beforeAll(async () => {
  receiver = await startOddReceiver();
});
afterAll(() => receiver.close());

test.each(runtimes)('on %s odd receivers hold up neither a write, nor the stop', async (runtime) => {
  const service = await open(runtime);
  const world = newWorld(service);
  const { owner, id } = await newStudy(world);
  const add = async (path: string) =>
    created(await owner.post(`/investigation/${id}/webhook`, { url: `${receiver.url}/${path}` }));
  const hooks = await Promise.all(Object.keys(odd).map(add));
  const plain = await add('plain');
  await owner.patch(`/investigation/${id}`, { name: 'Dreams' });
  await expect
    .poll(async () => (await owner.get(`/webhook/${plain.identifier}`)).body)
    .toMatchObject({ state: 'active', position: plain.latest + 1 });
  for (const [n, { identifier }] of hooks.entries()) {
    const last = async () => (await owner.get(`/webhook/${identifier}`)).body.lastDelivery;
    await expect.poll(last).toBeDefined();
    expect((await last()).status, Object.keys(odd)[n]).toBe(Object.values(odd)[n]);
  }
  if (runtime !== 'workerd') {
    // The process stops while a receiver says nothing, and starts again.
    const other = await newStudy(world, { of: 'Two' });
    const url = `${receiver.url}/silent/${runtime}`;
    const silent = created(await other.owner.post(`/investigation/${other.id}/webhook`, { url }));
    await other.owner.patch(`/investigation/${other.id}`, { name: 'Dreams' });
    await expect.poll(() => receiver.requests).toContain(`/silent/${runtime}`);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.process.lines.filter((line) => line.includes('stop.failed'))).toEqual([]);
    await service.start();
    const { body } = await other.owner.get(`/webhook/${silent.identifier}`);
    expect(body).toMatchObject({ position: silent.latest });
  }
  await service.dispose();
});
