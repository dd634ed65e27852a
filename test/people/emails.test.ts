import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { requestOf } from '../support/people.ts';
import { newApp, watchedDb } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { send, signUp, tokenOf } from '../support/worker/world.ts';

test('an address follows the token that proved it last, and its former holder loses it', async () => {
  const [olga, anna] = [await signUp('Olga'), await signUp('Anna')];
  const study = (await olga.post('/investigation', { name: 'Sleep' })).body.identifier;
  const now = Math.floor(Date.now() / 1000);
  const ben = await tokenOf('ben-of-emails', { email: anna.email, iat: now });
  expect((await send('/user', requestOf({ method: 'POST', token: ben, body: { name: 'Ben' } }))).status).toBe(
    201,
  );
  await olga.post(`/investigation/${study}/member`, { email: anna.email, role: 'editor' });
  const invited = async (token: string) =>
    (await newApp().send('/user/me/invitations', { token })).body.invitations;
  expect(await invited(ben)).toMatchObject([{ identifier: study }]);
  const old = await tokenOf(anna.email.split('@')[0] ?? '', { email: anna.email, iat: now - 60 });
  expect(await invited(old)).toEqual([]);
  later(2 * minutes);
  const fresh = await tokenOf(anna.email.split('@')[0] ?? '', { email: anna.email, iat: now + 60 });
  expect(await invited(fresh)).toMatchObject([{ identifier: study }]);
  expect((await send('/user/me/invitations', requestOf({ token: ben }))).body.invitations).toEqual([]);
});

test('an address that a token proves is looked at once a minute at most', async () => {
  const anna = await signUp('Anna');
  const began = Math.floor(Date.now() / 1000);
  const tokenWith = (n: number) =>
    tokenOf(anna.email.split('@')[0] ?? '', { email: `anna-${n}-${anna.id}@example.org`, iat: began + n });
  const stored = () =>
    env.DB.prepare('select email from user where id = ?').bind(anna.id).first<string>('email');
  const { db, watch } = watchedDb();
  const { send: ask } = newApp({ db });
  const statements = async (token: string) => {
    const before = watch.statements;
    expect((await ask('/user/me', { token })).status).toBe(200);
    return watch.statements - before;
  };
  await statements(anna.token);
  const warm = await statements(anna.token);
  for (const [n, address] of [
    [1, anna.email],
    [2, `anna-1-${anna.id}@example.org`],
  ] as const) {
    const token = await tokenWith(n);
    for (let second = 0; second < 3; second++) {
      later(19_000);
      expect([await statements(token), await stored()]).toEqual([warm, address]);
    }
    later(3_000);
    expect(await statements(token)).toBeGreaterThan(warm);
    expect(await stored()).toBe(`anna-${n}-${anna.id}@example.org`);
  }
  // A token from before is no news, and not asked about with each request either.
  const old = await tokenWith(1);
  later(1 * minutes);
  expect(await statements(old)).toBeGreaterThan(warm);
  for (let n = 0; n < 3; n++) expect(await statements(old)).toBe(warm);
  expect(await stored()).toBe(`anna-2-${anna.id}@example.org`);
});

test('an older token neither takes an address from who proved it later nor brings back an old one', async () => {
  const [olga, anna, carla] = [await signUp('Olga'), await signUp('Anna'), await signUp('Carla')];
  const now = Math.floor(Date.now() / 1000);
  const shows = ({ email }: typeof anna, address: string, iat: number) =>
    tokenOf(email.split('@')[0] ?? '', { email: address, iat });
  const studiesOf = async (token: string) => {
    const { invitations } = (await newApp().send('/user/me/invitations', { token })).body;
    return invitations.map(({ name }: { name: string }) => name);
  };
  const moved = 'anna@new.example.org';
  for (const [name, email] of [
    ['Sleep', anna.email],
    ['Food', moved],
  ]) {
    const study = (await olga.post('/investigation', { name })).body.identifier;
    await olga.post(`/investigation/${study}/member`, { email, role: 'editor' });
  }
  expect(await studiesOf(await shows(anna, anna.email, now))).toEqual(['Sleep']);
  expect(await studiesOf(await shows(carla, anna.email, now - 600))).toEqual([]);
  expect(await studiesOf(await shows(anna, anna.email, now))).toEqual(['Sleep']);

  later(2 * minutes);
  expect(await studiesOf(await shows(anna, moved, now + 120))).toEqual(['Food']);
  expect(await studiesOf(await shows(anna, anna.email, now))).toEqual(['Food']);

  // A newcomer with an old token for it signs up without an address.
  const dora = await tokenOf('dora-of-emails', { email: moved, iat: now });
  const answer = await send('/user', requestOf({ method: 'POST', token: dora, body: { name: 'Dora' } }));
  expect(answer.status).toBe(201);
  expect(await studiesOf(dora)).toEqual([]);
  expect(await studiesOf(await shows(anna, moved, now + 120))).toEqual(['Food']);
});
