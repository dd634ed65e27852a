import { created, type Person, signUp, stranger, type World } from '../../support/people.ts';
import { newPhone, type Phone, type Push } from '../../support/phones.ts';
import { diary } from '../../support/studies.ts';
import { dayFromNow } from './times.ts';

/** A study with many members, each with a phone, and one survey. */
export interface Crowd {
  owner: Person;
  investigation: string;
  survey: string;
  members: { person: Person; phone: Phone }[];
}

export async function newCrowd(world: World, size: number, timeZone: string): Promise<Crowd> {
  const owner = await signUp(world, 'Ada');
  const study = await owner.post('/investigation', {
    name: 'Sleep',
    timeZone: 'UTC',
    startsOn: dayFromNow(-2),
  });
  const investigation = created(study).identifier;
  const survey = await owner.post(`/investigation/${investigation}/survey`, { name: 'Diary', items: diary });
  const people = await joinStudy(world, owner, investigation, size);
  const members = [];
  for (const person of people)
    members.push({ person, phone: await newPhone(world, person, timeZone, 'ios') });
  return { owner, investigation, survey: created(survey).identifier, members };
}

const concurrency = 8;

/** Invites responders and signs them up, a few at a time. */
export async function joinStudy(world: World, owner: Person, study: string, size: number): Promise<Person[]> {
  const names = Array.from({ length: size }, (_, n) => `Member ${n}`);
  const people: Person[] = [];
  const joinNext = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const { email } = await stranger(world, name);
      created(await owner.post(`/investigation/${study}/member`, { email, role: 'responder' }));
      people.push(await signUp(world, name));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, joinNext));
  return people;
}

export interface History {
  identifier: string;
  survey: string;
  state: string;
  on: string;
  dueAt: string;
}

export async function historyOf(person: Person): Promise<History[]> {
  const answer = await person.get('/user/me/notifications?limit=1000');
  if (answer.status !== 200) throw new Error(`history: ${answer.status} ${answer.text}`);
  return answer.body.notifications;
}

export const historiesOf = ({ members }: Crowd) =>
  Promise.all(members.map(({ person }) => historyOf(person)));

/**
 * The delivery guarantee, for one member: sent reminders were pushed, and repeated pushes after a crash show once on the
 * phone. Returns the notifications of the repeated pushes, one entry for each.
 */
export function checkDelivery(history: History[], pushes: Push[]): string[] {
  const known = new Set(history.map(({ identifier }) => identifier));
  const pushed = pushes.map(({ data }) => data.notification as string);
  const unknown = pushed.filter((identifier) => !known.has(identifier));
  if (unknown.length > 0) throw new Error(`pushed, and not in the history: ${unknown.join(', ')}`);
  const lost = history.filter(({ state, identifier }) => state === 'sent' && !pushed.includes(identifier));
  if (lost.length > 0) throw new Error(`sent, and never pushed: ${lost.map(({ on }) => on).join(', ')}`);
  const loud = pushes.filter(({ data, attributes }) => attributes[collapseId] !== data.notification);
  if (loud.length > 0) throw new Error('a push without the collapse id of its occurrence');
  return pushed.filter((identifier, n) => pushed.indexOf(identifier) !== n);
}

const collapseId = 'AWS.SNS.MOBILE.APNS.COLLAPSE_ID';

export const inboxes = ({ members }: Crowd) => Promise.all(members.map(({ phone }) => phone.inbox()));

/**
 * How often a process pushed each notification again because no answer of SNS came within its deadline, by what it
 * logged. SNS may have accepted such a push, so each explains one that was repeated.
 */
export function retriesIn(lines: string[]): Map<string, number> {
  const retries = new Map<string, number>();
  for (const line of lines.filter((text) => text.includes('"event":"delivery"'))) {
    const { notification, outcome } = JSON.parse(line);
    if (outcome === 'retry') retries.set(notification, (retries.get(notification) ?? 0) + 1);
  }
  return retries;
}
