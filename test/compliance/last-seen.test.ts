import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newParticipant } from '../support/participants.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

const start = Date.parse('2027-03-01T08:00:00.000Z');
const iso = (at: number) => new Date(at).toISOString();

const seenOf = async (study: Study, person: Person) =>
  (await study.owner.get(`/investigation/${study.id}/compliance?user=${person.id}`)).body.participants[0]
    .lastSeenAt;

/** The note that follows an answer is there a moment later. */
const isSeen = (study: Study, person: Person, at: number) =>
  eventually(`${person.name} was seen at ${iso(at)}`, async () => (await seenOf(study, person)) === iso(at));

test('a phone that reads is one that is seen, though it was registered two months ago', async () => {
  setClock(startOfTests);
  const study = await sleepStudy();
  const chidi = await newParticipant(world, study.owner, study.id, { name: 'Chidi' });
  await newPhone(chidi);
  await isSeen(study, chidi, start);
  setClock(start + 60 * days);
  await chidi.get('/user/me/agenda');
  await isSeen(study, chidi, start + 60 * days);
});

test('a participant without a phone is seen, and so is one of a provider whose token the process knows', async () => {
  setClock(startOfTests);
  const study = await sleepStudy();
  const { responder } = study;
  await isSeen(study, responder, start);
  later(3 * hours);
  await responder.get('/user/me/notifications');
  await isSeen(study, responder, start + 3 * hours);
});

test('it is kept to the hour, and an answer is never newer', async () => {
  setClock(startOfTests);
  const study = await sleepStudy();
  const chidi = await newParticipant(world, study.owner, study.id, { name: 'Chidi' });
  const night = await newCase(study, study.editor, 'Night 1');
  later(30 * minutes);
  const noted = () =>
    env.DB.prepare('select seen_at from user where id = ?').bind(chidi.id).first<number>('seen_at');
  for (let n = 0; n < 5; n++) await chidi.get('/user/me');
  expect(await noted(), 'no write for each request').toBe(start);
  await newResponse(study, chidi, night, { q1: 'well' });
  expect(await seenOf(study, chidi)).toBe(iso(start + 30 * minutes));
  const { lastAnsweredAt } = (await study.owner.get(`/investigation/${study.id}/compliance?user=${chidi.id}`))
    .body.participants[0];
  expect(lastAnsweredAt).toBe(iso(start + 30 * minutes));
});
