import { readCode as readTyped } from '../src/typed-code.ts';
import { answerMs, noteClock } from './api.ts';
import { timeLimit } from './patience.ts';
import { stopReminders } from './reminding.ts';
import { keepSession, readSession, type Session } from './session.ts';
import { forgetAll, keep, readKept } from './store.ts';
import type { WorkerTexts } from './worker.ts';
import { deviceZone } from './zone.ts';

export type Refused = 'short' | 'unknown' | 'tooMany' | 'offline' | 'changed' | 'full' | 'failed';

/** The text of a study for people who join, in the language that fits them. */
export interface Information {
  language: string;
  title: string;
  text: string;
  contact: string;
}

/** The study of a code, as the service tells it. */
export interface About {
  investigation: { name: string; timeZone: string };
  information: Information | null;
  agreedTo: string | null;
}

/** The text that a person agreed to on this phone. */
export interface Agreed extends Information {
  agreedTo: string;
  /** By the phone's clock, in epoch ms. */
  at: number;
}

interface Enrolled {
  user: { identifier: string };
  token: string;
  investigation: { identifier: string; name: string };
}

/** A code as the service writes it; null if it cannot be one. */
export const readCode = (typed: string): string | null =>
  readTyped(typed)?.replaceAll(/(.{4})(?=.)/g, '$1-') ?? null;

/** Asks what a code is for, which does not use it. */
export async function readAbout(code: string, language: string): Promise<About | Refused> {
  const answer = await send('/enrol/about', { code, language: await ownLanguage(language) });
  if (typeof answer === 'string') return answer;
  const about = (await answer.json().catch(() => undefined)) as About | undefined;
  // Something else answered in place of the service.
  return about?.investigation ? about : 'failed';
}

/** The chosen language, else that of the browser: a study may have texts in languages that the page lacks. */
async function ownLanguage(ofPage: string): Promise<string> {
  const chosen = await readKept<string>('language');
  return chosen ?? navigator.languages.find((tag) => /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag)) ?? ofPage;
}

/** Whether a code was sent from here without an answer: it may be used already, by this phone. */
export const wasSent = async (code: string): Promise<boolean> =>
  (await readKept<{ code: string }>('enrolling'))?.code === code;

/** Uses a code, and makes this phone the participant's. Resolves with why it was refused. */
export async function enrol(
  typed: string,
  { name = '', language, about }: { name?: string; language: string; about?: About | undefined },
): Promise<Refused | undefined> {
  const code = readCode(typed);
  if (code === null) return 'short';
  const timeZone = deviceZone();
  const answer = await send('/enrol', {
    code,
    secret: await secretOf(code),
    language,
    ...(timeZone && { timeZone }),
    ...(name.trim() && { name: name.trim() }),
    ...(about?.agreedTo && { agreedTo: about.agreedTo }),
  });
  if (typeof answer === 'string') return answer;
  await begin((await answer.json()) as Enrolled);
  if (about?.information && about.agreedTo)
    await keep('agreed', {
      ...about.information,
      agreedTo: about.agreedTo,
      at: Date.now(),
    } satisfies Agreed);
  return undefined;
}

async function send(path: string, body: object): Promise<Response | Refused> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: timeLimit(answerMs),
    });
  } catch {
    return 'offline';
  }
  await noteClock(response);
  return response.ok ? response : refusalOf(response);
}

async function refusalOf(response: Response): Promise<Refused> {
  if (response.status === 404) return 'unknown';
  if (response.status === 429) return 'tooMany';
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  return code === 'information.changed' ? 'changed' : code === 'limit.reached' ? 'full' : 'failed';
}

/** A second try after a lost answer has the same secret, and so finds the same participant. */
async function secretOf(code: string): Promise<string> {
  const kept = await readKept<{ code: string; secret: string }>('enrolling');
  if (kept?.code === code) return kept.secret;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  await keep('enrolling', { code, secret });
  return secret;
}

/** A new token of the same participant leaves everything as it is; another participant begins with nothing but answers that wait. */
async function begin({ user, token, investigation }: Enrolled) {
  const session: Session = {
    token,
    since: Date.now(),
    user: user.identifier,
    study: { identifier: investigation.identifier, name: investigation.name },
  };
  if ((await readSession())?.user !== session.user) {
    // Before the other person's token goes: their reminders are not shown here any more.
    await stopReminders().catch(() => undefined);
    const language = await readKept<string>('language');
    const texts = await readKept<WorkerTexts>('worker-texts');
    await forgetAll(['outbox']);
    if (language) await keep('language', language);
    await keep('worker-texts', texts);
  }
  await keep('enrolling', undefined);
  await keep('home-code', undefined);
  await keepSession(session);
}
