import { env, exports } from 'cloudflare:workers';
import { SignJWT } from 'jose';
import { keepsContract } from './contract.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
}

/** Somebody with a token: what they send goes in by the front door. */
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

export async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await exports.default.fetch(new Request(`https://fieldbell.test${path}`, init));
  const text = await response.text();
  await keepsContract(init.method ?? 'GET', path, response, text);
  const json = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? JSON.parse(text) : undefined,
  };
}

export async function tokenOf(
  subject: string,
  {
    email,
    expiresIn = 365 * 24 * 3600,
    secret = env.AUTH_SECRET,
    ...claims
  }: Record<string, unknown> & {
    email?: string;
    expiresIn?: number;
    secret?: string;
  } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...(email && { email, email_verified: true }), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer((claims.iss as string) ?? env.AUTH_ISSUER)
    .setAudience((claims.aud as string) ?? env.AUTH_AUDIENCE)
    .setSubject(subject)
    .setExpirationTime(now + expiresIn)
    .sign(new TextEncoder().encode(secret));
}

let people = 0;

/** A person with a valid token who has not signed up. */
export async function stranger(name: string): Promise<Person> {
  const subject = `${name.toLowerCase()}-${++people}`;
  const email = `${subject}@example.org`;
  const token = await tokenOf(subject, { email });
  const request =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
  return {
    name,
    id: '',
    email,
    token,
    get: (path, headers) => request('GET')(path, undefined, headers),
    post: request('POST'),
    patch: request('PATCH'),
    put: request('PUT'),
    delete: request('DELETE'),
  };
}

export async function signUp(name: string, profile: object = {}): Promise<Person> {
  const person = await stranger(name);
  const answer = await person.post('/user', { name, ...profile });
  if (answer.status !== 201) throw new Error(`sign-up of ${name}: ${answer.status} ${answer.text}`);
  return { ...person, id: answer.body.identifier };
}
