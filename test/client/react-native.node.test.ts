import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/client.ts';

/** A server that never answers. */
const hang = (input: string | URL | Request) =>
  new Promise<Response>((_, reject) => {
    const { signal } = input as Request;
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('without AbortSignal.timeout and any, as in React Native, a request has its time limit and its caller', async () => {
  const { timeout, any } = AbortSignal;
  Object.assign(AbortSignal, { timeout: undefined, any: undefined });
  onTestFinished(() => void Object.assign(AbortSignal, { timeout, any }));
  const options = {
    baseUrl: 'https://fieldbell.localhost',
    token: () => 'x',
    fetch: hang,
    sleep: async () => {},
  };
  const hasty = createClient({ ...options, timeoutMs: 30, retries: 1 });
  await expect(hasty.fetch('/user/me')).rejects.toMatchObject({ name: 'TimeoutError' });

  const patient = createClient({ ...options, timeoutMs: 600_000, retries: 0 });
  const caller = new AbortController();
  const asked = patient.fetch('/user/me', { signal: caller.signal });
  caller.abort(new Error('the person went back'));
  await expect(asked).rejects.toThrow('the person went back');
});
