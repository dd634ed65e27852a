import { endpointOf, ids } from '../support/study-rows.ts';

/** A participant with one phone. */
export interface Person {
  id: string;
  /** The phone's endpoint at the SNS. */
  endpoint: string;
}

/** The study of a run; everyone is reminded of its survey each day. */
export const study = { owner: ids.owner, investigation: ids.study(0), survey: ids.survey(0) };

/** Everyone's zone, so that one instant is the same time of day for all. */
export const timeZone = 'Europe/Paris';

/** The members of the study. */
export const membersOf = (size: number): Person[] =>
  Array.from({ length: size }, (_, n) => ({ id: ids.member(n), endpoint: endpointOf(n) }));

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
