import type { DatabaseSync } from 'node:sqlite';
import { type Pending, pendingOf } from './notifications.ts';
import type { Found } from './result.ts';

export function comparePending(original: DatabaseSync, copy: DatabaseSync): Found {
  const [before, after] = [pendingOf(original), pendingOf(copy)];
  const inCopy = new Map(after.map((one) => [one.survey, one]));
  const told = (one: Pending | undefined) =>
    one ? `${one.n} pending, the next at ${new Date(one.next).toISOString()}` : 'none pending';
  const surveys = [...new Set([...before, ...after].map(({ survey }) => survey))];
  const inOriginal = new Map(before.map((one) => [one.survey, one]));
  const faults = surveys
    .filter((survey) => told(inOriginal.get(survey)) !== told(inCopy.get(survey)))
    .map((id) => `survey ${id}: ${told(inOriginal.get(id))}, and in the copy ${told(inCopy.get(id))}`);
  const pending = before.reduce((sum, { n }) => sum + n, 0);
  const next = before.length > 0 ? new Date(Math.min(...before.map((one) => one.next))).toISOString() : null;
  return {
    text: `${pending} reminders of ${before.length} surveys${next ? `, the next at ${next}` : ''}`,
    numbers: { pending, surveys: before.length, next },
    faults,
  };
}
