import { expect, test } from 'vitest';
import { requestOf } from '../support/people.ts';
import { newApp } from './support/apps.ts';
import { later, minutes } from './support/clock.ts';
import { send, signUp, tokenOf } from './support/world.ts';

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
