import type { AuthConfig } from '../src/config.ts';
import { signToken } from './sign-token.ts';

/** One person's calls of the service. */
export interface Caller {
  token: string;
  /** @throws an Error that says what was answered, unless it was 2xx or one of `also` */
  call<T>(method: string, path: string, body?: unknown, also?: readonly number[]): Promise<T>;
}

export interface ApiOptions {
  url: string;
  auth: AuthConfig;
  signal: AbortSignal;
}

const HOURS_12 = 12 * 3600;
const PATIENCE_MS = 20_000;

/** Signs a token for the subject and calls with it. @throws StartError when a provider signs the tokens */
export async function signIn(
  { url, auth, signal }: ApiOptions,
  who: { subject: string; email: string },
): Promise<Caller> {
  const token = await signToken(auth, { ...who, expiresIn: HOURS_12 });
  return {
    token,
    call: async <T>(method: string, path: string, body?: unknown, also: readonly number[] = []) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      const text = await response.text();
      if (!response.ok && !also.includes(response.status))
        throw new Error(`${method} ${path} answered ${response.status}: ${detailOf(text)}`);
      return (text === '' ? null : JSON.parse(text)) as T;
    },
  };
}

/** The detail of a problem document, or the first line of what it is instead. */
function detailOf(text: string): string {
  try {
    return JSON.parse(text).detail;
  } catch {
    return text.split('\n', 1)[0] ?? '';
  }
}
