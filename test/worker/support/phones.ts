import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Person } from './people.ts';

export interface Push {
  at: string;
  platform: string;
  token: string;
  title: string;
  body: string;
  data: Record<string, string>;
  attributes: Record<string, string>;
  messageId: string;
}

export interface Phone {
  id: string;
  token: string;
  /** What the relay accepted for this phone, oldest first. */
  inbox(): Promise<Push[]>;
}

let phones = 0;

/** Registers a phone with a token of its own. */
export async function newPhone(of: Person, timeZone = 'Europe/Paris', platform = 'android'): Promise<Phone> {
  const token = `${of.name.toLowerCase()}-phone-${++phones}-${crypto.randomUUID()}`;
  const answer = await of.post('/user/me/device', { platform, token, timeZone });
  if (answer.status !== 201) throw new Error(`device: ${answer.status} ${answer.text}`);
  return { id: answer.body.identifier, token, inbox: () => inboxOf(token) };
}

export const inboxOf = async (token: string): Promise<Push[]> =>
  (await fetch(`${env.SNS_ENDPOINT}inbox?token=${encodeURIComponent(token)}`)).json();

export const alarmOf = (user: Person) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user.id));

/** Lets the user's alarm go off now, as the platform would. */
export const ring = (user: Person): Promise<boolean> => runDurableObjectAlarm(alarmOf(user));

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export async function history(of: Person): Promise<any[]> {
  return (await of.get('/user/me/notifications')).body.notifications;
}

/** The pending notifications of a user, by survey. */
export const scheduled = async (of: Person) => (await history(of)).filter((row) => row.state === 'scheduled');
