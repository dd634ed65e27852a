import { type Answer, created, type Person, personWith, requestOf, type Sent, type World } from './people.ts';

interface Sends {
  send(path: string, request: Sent): Promise<Answer>;
}

/** Uses a code as a phone does that has no token yet. */
export const enrol = (world: Sends, code: string, more: object = {}): Promise<Answer> =>
  world.send('/enrol', requestOf({ method: 'POST', body: { code, ...more } }));

/** Somebody with the token of an answer of `POST /enrol`. */
export function participantOf(world: World, { body, text }: Answer): Person {
  const { user, token } = body;
  if (!token) throw new Error(`expected a token, got ${text}`);
  return personWith(world, { name: user.name, id: user.identifier, email: '', token });
}

/** A code of a study, as its answer shows it. */
export const newCode = async (by: Person, study: string, more: object = {}) =>
  created(await by.post(`/investigation/${study}/enrolment`, more));

/** A participant who has just enrolled by a code of their own. */
export async function newParticipant(world: World, by: Person, study: string, more: object = {}) {
  const { code } = await newCode(by, study);
  return participantOf(world, await enrol(world, code, more));
}
