import { decodeJwt, SignJWT } from 'jose';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON; undefined when there is none. */
  body: Body;
}

/** Sends a request as it is. `path` begins with a slash; `as` names the sender in transcripts. */
export type Send = (path: string, init?: RequestInit, as?: string) => Promise<Answer>;

/** The service under test: how requests reach it, and who signs the tokens it accepts. */
export interface World {
  send: Send;
  auth: { issuer: string; audience: string; secret: string };
  /** The subject of a person's token, which is their name where names are unique. */
  subjectOf(name: string): string;
  /** The local SNS, without a slash at its end. */
  snsUrl: string;
}

/** Somebody with a token. */
export interface Person {
  name: string;
  id: string;
  email: string;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export interface Call {
  method?: string;
  token?: string | undefined;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request as both a world and an app of its own take it. */
export interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

export const requestOf = ({ method = 'GET', token, body, headers }: Call): Sent => ({
  method,
  headers: {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = text !== '' && /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** A token that is valid for longer than any test's clock runs; `claims` replaces or adds what it says. */
export function signToken(
  auth: World['auth'],
  subject: string,
  {
    secret = auth.secret,
    expiresIn = 400 * 24 * 3600,
    ...claims
  }: Record<string, unknown> & { email?: string; secret?: string; expiresIn?: number } = {},
): Promise<string> {
  const verified = claims.email === undefined ? {} : { email_verified: true };
  return new SignJWT({ iss: auth.issuer, aud: auth.audience, sub: subject, ...verified, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
    .sign(new TextEncoder().encode(secret));
}

/** Somebody with a token, who sends requests with it. */
export function personWith(
  world: Pick<World, 'send'>,
  person: Pick<Person, 'name' | 'id' | 'email' | 'token'>,
): Person {
  const { name, token } = person;
  const call = (path: string, request: Call) => world.send(path, requestOf({ token, ...request }), name);
  return {
    ...person,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    patch: (path, body, headers = {}) => call(path, { method: 'PATCH', body, headers }),
    put: (path, body) => call(path, { method: 'PUT', body }),
    delete: (path) => call(path, { method: 'DELETE' }),
  };
}

/** A person with a valid token who has not signed up. */
export async function stranger(world: World, name: string): Promise<Person> {
  const subject = world.subjectOf(name);
  const email = `${subject}@example.org`;
  return personWith(world, { name, id: '', email, token: await signToken(world.auth, subject, { email }) });
}

/** The same person, who has signed in at an instant (epoch ms). */
export async function signedIn(world: World, person: Person, at = Date.now()): Promise<Person> {
  const { sub = '' } = decodeJwt(person.token);
  const token = await signToken(world.auth, sub, { email: person.email, auth_time: Math.floor(at / 1000) });
  return personWith(world, { ...person, token });
}

export async function signUp(world: World, name: string, profile: object = {}): Promise<Person> {
  const person = await stranger(world, name);
  const { identifier } = created(await person.post('/user', { name, ...profile }));
  return { ...person, id: identifier };
}

/** The body of a 201: a test builds upon it, so it has to be there. */
export function created({ status, text, body }: Answer): Body {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${text}`);
  return body;
}
