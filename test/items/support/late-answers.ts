import { expect } from 'vitest';
import type { Person } from '../../support/people.ts';
import { newCase, newResponse, type Study } from '../../support/studies.ts';
import { hours, setClock, startOfTests } from '../../support/worker/clock.ts';
import { sleepStudy } from '../../support/worker/world.ts';

export const iso = (ms: number) => new Date(ms).toISOString();

/** Monday evening, when Chidi answers without a network; what staff do on Tuesday; Wednesday, when his phone has one again. */
export const monday = startOfTests + 13 * hours;
export const tuesday = monday + 24 * hours;
export const wednesday = monday + 48 * hours;

export interface OfflineStudy extends Study {
  night: string;
  chidi: Person;
}

/** A study in which Chidi has a case, and has answered once. */
export async function offlineStudy(): Promise<OfflineStudy> {
  setClock(startOfTests);
  const study = await sleepStudy();
  const chidi = study.responder;
  const night = await newCase(study, chidi, 'Chidi');
  await newResponse(study, chidi, night);
  return { ...study, night, chidi };
}

let answers = 0;
export const newId = () => (++answers).toString(16).padStart(32, 'a');

/** Sends on Wednesday what was answered on Monday, from a phone whose clock is right. */
export function sendLate({ survey, night, chidi }: OfflineStudy, more: object = {}, by: Person = chidi) {
  setClock(wednesday);
  const body = {
    case: night,
    items: { q1: 'fell asleep late' },
    at: iso(monday),
    clock: iso(wednesday),
    ...more,
  };
  return by.post(`/survey/${survey}/response`, body);
}

/** Sends what was answered a second before staff do something on Tuesday, on a way of `way` ms. */
export function sendSlowly({ survey, night, chidi }: OfflineStudy, way: number, more: object = {}) {
  setClock(tuesday - 500 + way);
  const times = { at: iso(tuesday - 1000), clock: iso(tuesday - 500) };
  return chidi.post(`/survey/${survey}/response`, { case: night, items: { q1: 'late' }, ...times, ...more });
}

export const stateItems = (
  { id, owner }: Study,
  what: 'archive' | 'delete' | 'lock',
  items: { cases?: string[]; responses?: string[] },
  status: string,
) =>
  owner.post(`/investigation/${id}/${what}-items`, {
    cases: items.cases?.map((identifier) => ({ identifier })) ?? [],
    responses: items.responses?.map((identifier) => ({ identifier })) ?? [],
    status,
  });

export const waitingOf = async ({ id, editor }: Study, headers?: Record<string, string>) => {
  const { status, text, body } = await editor.get(`/investigation/${id}/set-aside`, headers);
  expect(status, text).toBe(200);
  return body?.setAside ?? text;
};
