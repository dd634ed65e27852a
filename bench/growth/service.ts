import type { D1Database } from '@cloudflare/workers-types';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import type { Services } from '../../src/services.ts';
import { signToken } from '../../tools/tokens/sign.ts';
import { noSns, settings } from '../support/fieldbell.ts';

const config = readConfig(settings(noSns));

/** The service over a database, with ports that do nothing and a settable clock. */
export function openService(database: D1Database, at: number) {
  const clock = { now: at };
  const services: Services = {
    db: openD1(database),
    now: () => clock.now,
    log: () => {},
    push: {
      platforms: ['android'],
      fits: () => true,
      register: async ({ token }) => ({ state: 'registered', endpoint: `endpoint/${token}` }),
      remove: async () => ({ state: 'removed' }),
      send: async () => ({ state: 'sent', messageId: 'a-message' }),
      check: async () => ({ state: 'unavailable', error: 'not measured' }),
      receive: async () => ({ state: 'refused', why: 'foreign', detail: 'not measured' }),
    },
    alarms: { arm: async () => {}, deliver: async () => {} },
    // The work after a request is measured as an operation of its own.
    defer: () => {},
    pushesPerDay: Infinity,
    records: { refused: false },
  };
  const app = createApp(services, config);

  /** Sends requests as a user. @throws when an answer is not a success */
  const person = async (subject: string) => {
    const token = await signToken(config.auth, { subject, expiresIn: 365 * 24 * 3600 });
    return async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      const answer = await app.request(path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text;
    };
  };
  return { services, clock, person };
}
