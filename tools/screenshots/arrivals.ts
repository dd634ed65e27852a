import { type ApiOptions, signIn } from '../api.ts';
import type { Shot } from './shots.ts';

/* First visits: a person who has not signed up, and one with invitations to two studies. */

export async function seedArrivals(options: ApiOptions, { studies }: { studies: readonly string[] }) {
  const person = (name: string) =>
    signIn(options, { subject: `shots-${name}`, email: `${name}@example.org` });
  const [ada, stranger, guest] = [await person('ada'), await person('stranger'), await person('guest')];
  await guest.call('POST', '/user', { name: 'Greta Holm', timeZone: 'Europe/Paris' });
  for (const study of studies)
    await ada.call('POST', `/investigation/${study}/member`, { email: 'guest@example.org', role: 'editor' });
  return { stranger: stranger.token, guest: guest.token };
}

export const strangerShots: readonly Shot[] = [{ name: 'sign-up', path: '/console' }];

export const guestShots: readonly Shot[] = [
  {
    name: 'invited',
    path: '/console',
    act: (page) => page.getByRole('heading', { name: 'Invitations for you' }).waitFor(),
  },
];
