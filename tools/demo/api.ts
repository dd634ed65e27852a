import type { AuthConfig } from '../../src/config.ts';
import { signToken } from '../tokens/sign.ts';

/** Calls the service as one person. */
export interface Caller {
  token: string;
  /** @throws an Error with the answer's detail unless its status is 2xx or one of `also` */
  call<T>(method: string, path: string, body?: unknown, also?: readonly number[]): Promise<T>;
}

export interface ApiOptions {
  url: string;
  auth: AuthConfig;
  signal: AbortSignal;
}

const tokenSeconds = 12 * 3600;
const timeoutMs = 20_000;

/** Signs a token for the subject, which its calls then carry. @throws StartError when a provider signs the tokens */
export async function signIn(
  { url, auth, signal }: ApiOptions,
  person: { subject: string; email: string },
): Promise<Caller> {
  const token = await signToken(auth, { ...person, expiresIn: tokenSeconds, authTime: 0 });
  return {
    token,
    call: async <T>(method: string, path: string, body?: unknown, also: readonly number[] = []) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await response.text();
      if (!response.ok && !also.includes(response.status))
        throw new Error(`${method} ${path} answered ${response.status}: ${detailOf(text)}`);
      return (text === '' ? null : JSON.parse(text)) as T;
    },
  };
}

/** The detail of a problem document, or the first line of any other text. */
function detailOf(text: string): string {
  try {
    return JSON.parse(text).detail;
  } catch {
    return text.split('\n', 1)[0] ?? '';
  }
}
