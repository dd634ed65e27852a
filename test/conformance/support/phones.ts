import type { Person, World } from './people.ts';

export interface Push {
  at: string;
  token: string;
  title: string;
  body: string;
  data: Record<string, string>;
  attributes: Record<string, string>;
}

/** Registers a phone, again if the relay was out of reach, as every client should; returns its token. */
export async function newPhone(of: Person, timeZone: string, platform = 'android'): Promise<string> {
  const token = `phone-of-${of.name.replaceAll(' ', '-')}`;
  const register = () => of.post('/user/me/device', { platform, token, timeZone });
  const first = await register();
  const { status, text } = first.status === 503 ? await register() : first;
  if (status !== 201) throw new Error(`device of ${of.name}: ${status} ${text}`);
  return token;
}

/** What the relay accepted for a phone, oldest first. */
export const inbox = async ({ snsUrl }: World, token: string): Promise<Push[]> =>
  (await fetch(`${snsUrl}/inbox?token=${encodeURIComponent(token)}`)).json() as Promise<Push[]>;

/** Plans failures of the relay. */
export async function plantFault({ snsUrl }: World, fault: object): Promise<void> {
  const answer = await fetch(`${snsUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!answer.ok) throw new Error(`fault: ${answer.status} ${await answer.text()}`);
}

/** The next full minute that leaves `leadMs` for the preparations. */
export const minuteAhead = (leadMs: number) => Math.ceil((Date.now() + leadMs) / 60_000) * 60_000;

/** The wall clock of a zone at an instant: `HH:MM`. */
export const wallTime = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    instant,
  );

/** Repeats a look until it finds something. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | null | false>,
  withinMs = 20_000,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() - started > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await sleep(100);
  }
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
