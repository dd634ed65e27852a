import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import type { Phone } from '../support/phones.ts';
import { seed } from '../support/seed.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { breakSns, deleteAtSns, endpointsOf } from '../support/worker/sns.ts';
import { newPhone, signUp } from '../support/worker/world.ts';
import { mortalApp } from './support/mortal-app.ts';

interface Device {
  id: string;
  user_id: string;
  token: string;
  endpoint: string;
  enabled: number;
  changed_at: number | null;
}
/** The phones that are somebody's. */
const rows = async () =>
  (await env.DB.prepare('select * from device where user_id is not null').all<Device>()).results;

/** Remains of one step make all later steps slower: each looks at every phone. */
async function forgetPhone(token: string) {
  await deleteAtSns(token);
  await env.DB.prepare('delete from device').run();
}

const register = (token: string) => ({ platform: 'android', token, timeZone: 'Europe/Paris' });

/** Devices of others that a push to would show on the phone with this token. */
async function leaks(owner: Person, token: string) {
  const reached = new Set((await endpointsOf(token)).map(({ arn }) => arn));
  return (await rows()).filter((row) => row.user_id !== owner.id && row.enabled && reached.has(row.endpoint));
}

/** Anna's action on the phone before Ben got it, and the token that the phone has then. */
const acts: Record<string, (phone: Phone) => { method: string; path: string; body?: object; token: string }> =
  {
    'gives it a new token': ({ id }) => {
      const token = `token-${crypto.randomUUID()}`;
      return { method: 'PATCH', path: `/device/${id}`, body: { token }, token };
    },
    'registers it again': ({ token }) => ({
      method: 'POST',
      path: '/user/me/device',
      body: register(token),
      token,
    }),
    'deletes it': ({ id, token }) => ({ method: 'DELETE', path: `/device/${id}`, token }),
    'deletes herself': ({ token }) => ({ method: 'DELETE', path: '/user/me', token }),
  };

describe('even if a process dies when Anna', () => {
  test.each(Object.keys(acts))('%s, a phone that Ben registers then is his alone', async (what) => {
    const act = mortalApp();
    // Each step of one meets every second step of the other; of changes of one part, every sixth, and for other commits the rest.
    const [stride, phase] = what === 'gives it a new token' ? [2, 0] : [6, seed % 6];
    for (let first = 0, alive = true; alive; first++) {
      for (let second = (first + phase) % stride, more = true; more; second += stride) {
        const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
        const phone = await newPhone(anna);
        const { method, path, body, token } = acts[what]?.(phone) ?? { method: '', path: '', token: '' };
        const step = `step ${first}, then step ${second}`;
        alive = (await act(anna, method, path, body, first)).died;
        const { died, asked } = await act(ben, 'POST', '/user/me/device', register(token), second);
        if (asked) expect(await leaks(ben, token), step).toEqual([]);

        expect([200, 201], step).toContain((await ben.post('/user/me/device', register(token))).status);
        expect(await leaks(ben, token), step).toEqual([]);
        const [endpoint, ...others] = await endpointsOf(token);
        expect([endpoint?.enabled, others], step).toEqual([true, []]);
        expect(
          (await rows()).filter((row) => row.user_id === ben.id),
          step,
        ).toMatchObject([{ token, endpoint: endpoint?.arn, enabled: 1 }]);
        later(2 * minutes);
        await sweep(createServices(env));
        expect(await leaks(ben, token), step).toEqual([]);
        expect(
          (await rows()).filter((row) => row.changed_at !== null),
          step,
        ).toEqual([]);
        await forgetPhone(token);
        more = died;
      }
    }
  });
});

test('a change that died is mended by the sweep: the row says what the relay has', async () => {
  const act = mortalApp();
  for (const what of ['gives it a new token', 'deletes it', 'deletes herself'])
    for (let step = 0, alive = true; alive; step++) {
      const anna = await signUp('Anna');
      const phone = await newPhone(anna);
      const { method, path, body, token } = acts[what]?.(phone) ?? { method: '', path: '', token: '' };
      alive = (await act(anna, method, path, body, step)).died;
      later(2 * minutes);
      await sweep(createServices(env));
      const mine = (await rows()).filter((row) => row.user_id === anna.id);
      const known = [
        ...(await endpointsOf(phone.token)),
        ...(token === phone.token ? [] : await endpointsOf(token)),
      ];
      expect(
        mine.map((row) => [row.token, row.endpoint, row.enabled, row.changed_at]),
        `${what}, step ${step}`,
      ).toEqual(known.map((endpoint) => [endpoint.token, endpoint.arn, 1, null]));
    }
});

test('a change whose answer from the relay was lost is mended once the relay is back', async () => {
  const anna = await signUp('Anna');
  const phone = await newPhone(anna);
  const token = `token-${crypto.randomUUID()}`;
  await breakSns(phone.token, '*', { kind: 'reset', times: 1 });
  expect((await anna.patch(`/device/${phone.id}`, { token })).status).toBe(503);
  const services = createServices(env);
  const down = { ...services.push, check: async () => ({ state: 'unavailable' as const, error: 'Timeout' }) };
  later(2 * minutes);
  await sweep({ ...services, push: down });
  expect((await rows()).filter((row) => row.id === phone.id)).toMatchObject([
    { token: phone.token, enabled: 1 },
  ]);
  later(2 * minutes);
  await sweep(services);
  expect((await rows()).filter((row) => row.id === phone.id)).toMatchObject([
    { token: phone.token, enabled: 1, changed_at: null },
  ]);
});

test('two registrations and a new token at once leave the phone to one user, with its endpoint', async () => {
  for (let n = 0; n < 10; n++) {
    const [anna, ben, cleo] = [await signUp('Anna'), await signUp('Ben'), await signUp('Cleo')];
    const phone = await newPhone(anna);
    const token = `token-${crypto.randomUUID()}`;
    const answers = await Promise.all([
      anna.patch(`/device/${phone.id}`, { token }),
      ben.post('/user/me/device', register(token)),
      cleo.post('/user/me/device', register(token)),
    ]);
    expect(answers.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([]);
    const having = (await rows()).filter((row) => row.token === token);
    expect(having).toHaveLength(1);
    expect(await endpointsOf(token)).toMatchObject([{ arn: having[0]?.endpoint, enabled: true }]);
  }
});
