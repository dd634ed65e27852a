import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { tick } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/server/services.ts';
import type { LogEntry, Services } from '../../src/services.ts';
import { type LocalService, localService } from '../support/local-service.ts';
import { newStudy } from '../support/studies.ts';

/** The time of a step, in place of a minute. */
const stepMs = 100;
const never = <T>() => new Promise<T>(() => {});

let service: LocalService | undefined;
afterEach(() => service?.dispose());

/** A service that looks at webhooks in its minute only, and its log. */
async function start(change: (services: Services) => Partial<Services>) {
  const lines: LogEntry[] = [];
  service = await localService({}, (services) => {
    const { wake: _, ...webhooks } = services.webhooks as NonNullable<Services['webhooks']>;
    const own = { ...services, webhooks, log: (line: LogEntry) => void lines.push(line) };
    return { ...own, ...change(own) };
  });
  return { service, lines, errorOf: (event: string) => lines.find((line) => line.event === event)?.error };
}

test('a receiver whose call knows no end keeps no minute waiting, and no other webhook', async () => {
  const { service, errorOf } = await start(({ webhooks }) => ({
    ...(webhooks && {
      webhooks: {
        ...webhooks,
        call: ({ url }) => (url.endsWith('/never') ? never() : Promise.resolve({ status: 204 })),
      },
    }),
  }));
  const { owner, id } = await newStudy(service.world);
  const add = async (path: string) =>
    (await owner.post(`/investigation/${id}/webhook`, { url: `http://127.0.0.1:9/${path}`, after: 0 })).body;
  await add('never');
  await tick(service.services, 0, stepMs);
  expect(errorOf('sweep.webhooks-failed')).toBe('not over after 0.1 s');
  const { identifier, latest } = await add('answers');
  await tick(service.services, 0, stepMs);
  const { body } = await owner.get(`/webhook/${identifier}`);
  expect(body).toMatchObject({ state: 'active', position: latest });
});

test('a sweep that knows no end keeps neither the hourly work nor the next minute waiting', async () => {
  let isStuck = true;
  const { service, errorOf, lines } = await start(({ db }) => ({
    db: new Proxy(db, {
      get: (target, name) =>
        name === 'batch' && isStuck ? never : Reflect.get(target, name, target).bind?.(target),
    }),
  }));
  await tick(service.services, 0, stepMs);
  expect(errorOf('sweep.failed')).toBe('not over after 0.2 s');
  isStuck = false;
  lines.length = 0;
  await tick(service.services, 0, 60_000);
  expect(lines.filter(({ error }) => error !== undefined)).toEqual([]);
});

test('a process that stops waits for its work, but not for work that knows no end', async () => {
  const { service } = await start(() => ({}));
  const lines: LogEntry[] = [];
  const config = readConfig(parseEnv(readFileSync('.dev.vars.example', 'utf8')));
  const open = () =>
    createServices({ db: service.services.db, canWrite: () => true }, config, (line) => lines.push(line));
  const quick = open();
  const work = Promise.withResolvers<void>();
  let done = false;
  quick.services.defer(async () => {
    await work.promise;
    done = true;
  });
  const stopped = quick.stop();
  work.resolve();
  await stopped;
  expect([done, lines]).toEqual([true, []]);
  const stuck = open();
  stuck.services.defer(never);
  await stuck.stop(stepMs);
  expect(lines).toEqual([{ event: 'stop.failed', error: 'not over after 0.1 s' }]);
});
