import { signToken, signUp, stranger } from '../../support/people.ts';
import type { ServiceWorld } from '../support/worlds.ts';

/** Admitted callers, the answers to all others, and how a person reads and changes themselves. */
export async function identity(world: ServiceWorld): Promise<void> {
  await world.send('/health');
  await world.send('/problems/auth.token-missing');
  await world.send('/nothing-here');
  await refusedTokens(world);

  const ada = await stranger(world, 'Ada identity');
  await ada.get('/user/me');
  await ada.post('/user', { name: 'Ada', timeZone: 'Europe/Paris' });
  await ada.post('/user', { name: 'Somebody else' });
  await ada.get('/user/me');
  await ada.get('/user/me/avatar');
  await ada.get('/nothing-here');
  await refusedBodies(ada);

  await ada.patch('/user/me', { name: 'Ada Lovelace', customRemindersTime: '21:30', timeZone: 'Asia/Tokyo' });
  await ada.patch('/user/me', { customRemindersTime: null });
  await ada.put('/user/me/pause', { until: '2099-01-01T00:00:00.000Z' });
  await ada.put('/user/me/pause', { until: null });
  await ada.delete('/user/me/pause');

  const bruno = await signUp(world, 'Bruno identity');
  await bruno.get(`/user/${ada.id || 'f'.repeat(32)}`);
  await ada.delete('/user/me');
  await ada.get('/user/me');
  await ada.post('/user', { name: 'Ada again' });
}

async function refusedTokens(world: ServiceWorld) {
  const tries = {
    malformed: 'not-a-token',
    expired: await signToken(world.auth, 'ada', { expiresIn: -3600 }),
    'of another audience': await signToken(world.auth, 'ada', { aud: 'somebody-else' }),
    'of another issuer': await signToken(world.auth, 'ada', { iss: 'https://other.example.org/' }),
    'with another secret': await signToken(world.auth, 'ada', {
      secret: 'another-secret-of-more-than-32-bytes',
    }),
    'without algorithm': `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${btoa('{"sub":"ada"}').replace(/=+$/, '')}.`,
  };
  for (const [what, bearer] of Object.entries(tries))
    await world.send('/user/me', { headers: { authorization: `Bearer ${bearer}` } }, `a token ${what}`);
  await world.send('/user/me');
}

async function refusedBodies(person: Awaited<ReturnType<typeof stranger>>) {
  await person.patch('/user/me', { timeZone: '+05:30' });
  await person.patch('/user/me', { timeZone: 'europe/paris' });
  await person.patch('/user/me', { customRemindersTime: '25:00' });
  await person.patch('/user/me', { name: '', colour: 'blue' });
  await person.patch('/user/me', '{"name":');
  await person.patch('/user/me', '[]');
  await person.patch('/user/me', 'name=Ada', { 'content-type': 'application/x-www-form-urlencoded' });
  await person.patch('/user/me', { name: 'x'.repeat(1024 * 1024) });
}
