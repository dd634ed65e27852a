import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { openD1 } from '../../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import type { Services } from '../../../src/services.ts';
import { countedD1 } from '../../../tools/database/counted-d1.ts';
import { type Person, requestOf } from '../people.ts';
import { readChecked } from './contract.ts';

/**
 * The application over counted D1. `measure` sends one request and returns its cost up to the answer; a request before it
 * makes the caller known, as they are to a warm isolate.
 */
export function countedApp(
  change: (services: Services) => Services = (services) => services,
  limits = readConfig(env).limits,
) {
  const { counts, database } = countedD1(env.DB);
  const deferred: (() => Promise<void>)[] = [];
  const services = {
    ...createServices(env),
    db: openD1(database),
    log: () => {},
    defer: (work: () => Promise<void>) => void deferred.push(work),
  };
  const { auth, participantSigningKeys } = readConfig(env);
  const app = createApp(change(services), { auth, participantSigningKeys, limits });

  const request = ({ token }: Person, method: string, path: string, body?: unknown, headers = {}) =>
    app.request(`https://fieldbell.localhost${path}`, requestOf({ method, token, body, headers }));

  /** Does the work that was left for after the answers. */
  async function settle() {
    while (deferred.length > 0) await deferred.shift()?.();
  }

  async function measure(person: Person, method: string, path: string, body?: unknown, headers = {}) {
    await request(person, 'GET', '/user/me');
    await settle();
    const before = { ...counts };
    const response = await request(person, method, path, body, headers);
    const answer = await readChecked(method, path, response);
    const cost = {
      roundTrips: counts.roundTrips - before.roundTrips,
      rowsRead: counts.rowsRead - before.rowsRead,
      rowsWritten: counts.rowsWritten - before.rowsWritten,
    };
    await settle();
    return { answer, ...cost };
  }

  return { app, counts, request, measure, settle };
}
