import { randomUUID } from 'node:crypto';
import { endpointArn } from '../../dev/sns/arns.ts';
import { SNS_DEFAULTS } from '../../dev/sns/defaults.ts';
import { newIdentifier } from '../../src/identifiers.ts';

/** A participant with one phone. */
export interface Person {
  id: string;
  device: string;
  token: string;
  /** The phone's endpoint at the SNS. */
  endpoint: string;
}

/** The study of a run; everyone is reminded of its survey each day. */
export interface Study {
  owner: string;
  investigation: string;
  survey: string;
}

/** Everyone's zone, so that one instant is the same time of day for all. */
export const timeZone = 'Europe/Paris';

export const notification = {
  subject: 'Sleep diary',
  body: 'Good morning! How did you sleep? Please answer the questions about last night.',
};

/** Minutes during which a reminder may be sent. */
export const expiresAfter = 360;

export function newPeople(size: number): Person[] {
  const now = Date.now();
  return Array.from({ length: size }, (_, n) => ({
    id: newIdentifier(now),
    device: newIdentifier(now),
    token: `phone-${n}-${'f'.repeat(120)}`,
    endpoint: endpointArn(SNS_DEFAULTS.platformApplications.android, randomUUID()),
  }));
}

export function newStudy(): Study {
  const now = Date.now();
  return { owner: newIdentifier(now), investigation: newIdentifier(now), survey: newIdentifier(now) };
}

/** The date and time of day in everyone's zone. */
export function localTime(instant: number): { on: string; hour: number; minute: number; second: number } {
  const [on = '', time = ''] = clock.format(instant).split(' ');
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return { on, hour, minute, second };
}

// Swedish dates have the form of ISO 8601.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The date `days` later. */
export const dateAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
