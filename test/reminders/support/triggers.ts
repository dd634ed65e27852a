import { expect } from 'vitest';
import { created, type Person } from '../../support/people.ts';
import { newCase, type Study } from '../../support/studies.ts';
import { setClock, startOfTests } from '../../support/worker/clock.ts';
import { history } from '../../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../../support/worker/world.ts';

export const iso = (ms: number) => new Date(ms).toISOString();

/** Reminders that follow the responses to a survey. */
export const following = (survey: string, trigger: object = {}, more: object = {}) => ({
  type: 'triggered',
  recurrence: null,
  trigger: { survey, after: 20, ...trigger },
  notification: { subject: 'Migraine', body: 'How is your head now?' },
  ...more,
});

export interface Migraines {
  study: Study;
  user: Person;
  night: string;
  phone: Awaited<ReturnType<typeof newPhone>>;
  /** The survey with the triggered reminders. */
  after: string;
  /** Reports a migraine: a response to the study's survey, at this time (epoch ms). Returns its identifier. */
  report: (at: number, more?: object) => Promise<string>;
}

/** Chidi, of Paris, reports migraines; each report is followed by a reminder of another survey. */
export async function newMigraines(trigger: object = {}, more: object = {}): Promise<Migraines> {
  setClock(startOfTests);
  const study = await sleepStudy();
  const user = study.responder;
  const phone = await newPhone(user);
  const night = await newCase(study, user);
  const after = await addSurvey(study, following(study.survey, trigger, more));
  const report: Migraines['report'] = async (at, given = {}) => {
    setClock(at);
    const body = { case: night, items: { q1: 'badly' }, ...given };
    const answer = created(await user.post(`/survey/${study.survey}/response`, body));
    return String(answer.uri).slice(-32);
  };
  return { study, user, night, phone, after, report };
}

export async function addSurvey(study: Study, reminders: object | null) {
  const body = { name: 'Afterwards', items: [{ identifier: 'p1', label: 'How is it now?' }], reminders };
  return String(created(await study.owner.post(`/investigation/${study.id}/survey`, body)).identifier);
}

/** The history of a survey's reminders, oldest first: `10:20 sent`. */
export async function outcomes(user: Person, survey: string): Promise<string[]> {
  const rows = (await history(user)).filter((row) => row.survey === survey);
  return rows
    .toReversed()
    .map(({ dueAt, state, reason }) => [dueAt.slice(5, 16), state, ...(reason ? [reason] : [])].join(' '));
}

export async function removed(study: Study, by: Person, response: string, status: 'deleted' | 'active') {
  const answer = await by.post(`/investigation/${study.id}/delete-items`, {
    responses: [{ identifier: response }],
    status,
  });
  expect(answer.status, answer.text).toBeLessThan(300);
}
