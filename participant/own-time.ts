import type { Study, Survey } from './snapshot.ts';
import { civilDay } from './time.ts';

/** A person's own time in a study, as of a date: not begun, the day of all its days, or over. */
export type OwnTime =
  /** The noon of the first day, epoch ms. */
  { is: 'before'; begins: number } | { is: 'in'; day: number; days: number } | { is: 'after' };

const dayMs = 24 * 3600 * 1000;
const dayOf = (date: string) => Date.parse(date) / dayMs;

/** Undefined: without an end, or of a study that is over for everybody. @param at epoch ms */
export function ownTimeOf({ participation, status }: Study, at: number): OwnTime | undefined {
  if (!participation || status === 'archived') return undefined;
  const { from, until } = participation;
  const day = civilDay(at) - dayOf(from) + 1;
  if (day < 1) return { is: 'before', begins: new Date(`${from}T12:00`).getTime() };
  if (until === undefined) return undefined;
  const days = dayOf(until) - dayOf(from) + 1;
  return day > days ? { is: 'after' } : { is: 'in', day, days };
}

const isAfter = (at: number) => (study: Study) => ownTimeOf(study, at)?.is === 'after';

/** Whether the time in every study is over, so that no more reminders come. */
export const isTimeOver = (studies: readonly Study[], at: number): boolean =>
  studies.length > 0 && studies.every(isAfter(at));

/** Whether no reminder of a survey comes at a time, as the time in its study is over. */
export const isTimeOverFor = (studies: readonly Study[], { investigation }: Survey, at: number): boolean =>
  studies.filter(({ identifier }) => investigation.endsWith(identifier)).some(isAfter(at));
