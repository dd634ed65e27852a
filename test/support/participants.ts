import { type Answer, created, type Person, requestOf, type Sent, type World } from './people.ts';

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
  const call = (path: string, request: Parameters<typeof requestOf>[0]) =>
    world.send(path, requestOf({ token, ...request }), user.name);
  return {
    name: user.name,
    id: user.identifier,
    email: '',
    token,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    patch: (path, body, headers = {}) => call(path, { method: 'PATCH', body, headers }),
    put: (path, body) => call(path, { method: 'PUT', body }),
    delete: (path) => call(path, { method: 'DELETE' }),
  };
}

/** A code of a study, as its answer shows it. */
export const newCode = async (by: Person, study: string, more: object = {}) =>
  created(await by.post(`/investigation/${study}/enrolment`, more));

/** A participant who has just enrolled by a code of their own. */
export async function newParticipant(world: World, by: Person, study: string, more: object = {}) {
  const { code } = await newCode(by, study);
  return participantOf(world, await enrol(world, code, more));
}
