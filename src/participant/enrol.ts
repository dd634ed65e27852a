import { noteClock } from './api.ts';
import { stopReminders } from './reminding.ts';
import { keepSession, readSession, type Session } from './session.ts';
import { forgetAll, keep, readKept } from './store.ts';
import type { WorkerTexts } from './worker.ts';
import { deviceZone } from './zone.ts';

export type Refused = 'short' | 'unknown' | 'tooMany' | 'offline' | 'failed';

interface Enrolled {
  user: { identifier: string };
  token: string;
  investigation: { identifier: string; name: string };
}

const alphabet = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** A code as the service writes it; null if it cannot be one. */
export function readCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return alphabet.test(code) ? code.replaceAll(/(.{4})(?=.)/g, '$1-') : null;
}

/** Uses a code, and makes this phone the participant's. Resolves with why it was refused. */
export async function enrol(typed: string, name: string, language: string): Promise<Refused | undefined> {
  const code = readCode(typed);
  if (code === null) return 'short';
  const timeZone = deviceZone();
  const secret = await secretOf(code);
  const body = {
    code,
    secret,
    language,
    ...(timeZone && { timeZone }),
    ...(name.trim() && { name: name.trim() }),
  };
  let response: Response;
  try {
    response = await fetch('/enrol', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    return 'offline';
  }
  await noteClock(response);
  if (response.status === 404) return 'unknown';
  if (response.status === 429) return 'tooMany';
  if (!response.ok) return 'failed';
  await begin((await response.json()) as Enrolled);
  return undefined;
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
  await keepSession(session);
}
