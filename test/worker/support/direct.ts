import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import type { Answer, Person } from './people.ts';
import { type Study, sleepStudy } from './studies.ts';

/*
 * The whole application, but called in this isolate. The test pool's way back into the worker gets slower with
 * each request of a file (measured: 50 requests take 0.5 s at first and 6 s after 400), so files that send
 * thousands go in here.
 */
const app = createApp({ ...createServices(env), log: () => {} }, { auth: readConfig(env).auth });

export async function sendDirect(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await app.request(`https://fieldbell.test${path}`, init);
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? JSON.parse(text) : undefined,
  };
}

export function direct(person: Person): Person {
  const request =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      sendDirect(path, {
        method,
        headers: {
          authorization: `Bearer ${person.token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
  return {
    ...person,
    get: (path, headers) => request('GET')(path, undefined, headers),
    post: request('POST'),
    patch: request('PATCH'),
    put: request('PUT'),
    delete: request('DELETE'),
  };
}

/** A sleep study whose people send directly. */
export async function directStudy(): Promise<Study> {
  const study = await sleepStudy();
  const { owner, editor, responder, other } = study;
  return {
    ...study,
    owner: direct(owner),
    editor: direct(editor),
    responder: direct(responder),
    other: direct(other),
  };
}
