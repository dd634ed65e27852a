import { SignJWT } from 'jose';
import { settings } from './settings.ts';
import type { Transcript } from './transcripts.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Body = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** Somebody with a token. All that they send goes over HTTP and into the transcript. */
export interface Person {
  name: string;
  id: string;
  email: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** One scenario on one runtime. `url` is asked each time, since a restart may change it. */
export interface World {
  url: () => string;
  snsUrl: string;
  transcript: Transcript;
}

/** Sends a request as it is, without a token. */
export async function send(
  world: World,
  path: string,
  init: RequestInit = {},
  as = 'nobody',
): Promise<Answer> {
  const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) };
  const response = await fetch(`${world.url()}${path}`, { ...init, headers, redirect: 'manual' });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? JSON.parse(text) : text,
  };
  world.transcript.add(`${as}: ${init.method ?? 'GET'} ${path}`, answer);
  return answer;
}

export async function token(subject: string, claims: Record<string, unknown> = {}): Promise<string> {
  const { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET } = settings('');
  const {
    secret = AUTH_SECRET,
    expiresIn = 400 * 24 * 3600,
    ...rest
  } = claims as { secret?: string; expiresIn?: number };
  return new SignJWT({ iss: AUTH_ISSUER, aud: AUTH_AUDIENCE, sub: subject, ...rest })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
    .sign(new TextEncoder().encode(secret));
}

/** A person with a valid token who has not signed up. Names are unique within a scenario's file. */
export async function stranger(world: World, name: string): Promise<Person> {
  const subject = name.toLowerCase().replaceAll(' ', '-');
  const email = `${subject}@example.org`;
  const bearer = await token(subject, { email, email_verified: true });
  const request =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(
        world,
        path,
        {
          method,
          headers: {
            authorization: `Bearer ${bearer}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        },
        name,
      );
  return {
    name,
    id: '',
    email,
    get: (path, headers) => request('GET')(path, undefined, headers),
    post: request('POST'),
    patch: request('PATCH'),
    put: request('PUT'),
    delete: request('DELETE'),
  };
}

export async function signUp(world: World, name: string, profile: object = {}): Promise<Person> {
  const person = await stranger(world, name);
  const answer = await person.post('/user', { name, ...profile });
  if (answer.status !== 201) throw new Error(`sign-up of ${name}: ${answer.status} ${answer.text}`);
  return { ...person, id: answer.body.identifier };
}
