import { type Person, signUp, stranger, type World } from './people.ts';
import { inbox, newPhone, type Push } from './phones.ts';
import { created, dayFromNow, diary } from './studies.ts';

/** A study with many members, each with a phone, and one survey. */
export interface Crowd {
  owner: Person;
  investigation: string;
  survey: string;
  members: { person: Person; phone: string }[];
}

const atOnce = 8;

export async function newCrowd(world: World, size: number, timeZone: string): Promise<Crowd> {
  const owner = await signUp(world, 'Ada');
  const study = await owner.post('/investigation', {
    name: 'Sleep',
    timeZone: 'UTC',
    startsOn: dayFromNow(-2),
  });
  const investigation = created(study).identifier;
  const survey = await owner.post(`/investigation/${investigation}/survey`, { name: 'Diary', items: diary });
  const members: Crowd['members'] = [];
  const names = Array.from({ length: size }, (_, n) => `Member ${n}`);
  const joinNext = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const { email } = await stranger(world, name);
      created(await owner.post(`/investigation/${investigation}/member`, { email, role: 'responder' }));
      const person = await signUp(world, name);
      members.push({ person, phone: await newPhone(person, timeZone, 'ios') });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, joinNext));
  return { owner, investigation, survey: created(survey).identifier, members };
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

/**
 * The delivery guarantee, for one member: what is sent was pushed, and what was pushed again after a crash shows once
 * on the phone. Returns how many pushes were repeated.
 */
export function checkDelivery(history: History[], pushes: Push[]): number {
  const known = new Set(history.map(({ identifier }) => identifier));
  const pushed = pushes.map(({ data }) => data.notification as string);
  const unknown = pushed.filter((identifier) => !known.has(identifier));
  if (unknown.length > 0) throw new Error(`pushed, and not in the history: ${unknown.join(', ')}`);
  const lost = history.filter(({ state, identifier }) => state === 'sent' && !pushed.includes(identifier));
  if (lost.length > 0) throw new Error(`sent, and never pushed: ${lost.map(({ on }) => on).join(', ')}`);
  const loud = pushes.filter(({ data, attributes }) => attributes[collapseId] !== data.notification);
  if (loud.length > 0) throw new Error('a push without the collapse id of its occurrence');
  return pushed.length - new Set(pushed).size;
}

const collapseId = 'AWS.SNS.MOBILE.APNS.COLLAPSE_ID';

export const inboxes = (world: World, { members }: Crowd) =>
  Promise.all(members.map(({ phone }) => inbox(world, phone)));
