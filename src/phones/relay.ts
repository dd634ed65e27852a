import type { Context } from '../context.ts';
import { Problem } from '../errors.ts';
import type { PushService } from '../services.ts';
import type { Token } from './statements.ts';

export const retryAfterSeconds = 5;

export const relayUnavailable = () =>
  new Problem('relay.unavailable', 'The push relay did not confirm the change: send the request again.', {
    retryAfterSeconds,
  });

/** The relay sends a message again that gets this answer. */
export const messageUnhandled = () =>
  new Problem('relay.unavailable', 'Nothing was done: send the message again.', { retryAfterSeconds: 20 });

/** The token in its one form. @throws device.token-refused */
export function canonicalToken(push: PushService, phone: Token): string {
  const read = push.canonicalToken?.(phone) ?? phone;
  if ('expected' in read) throw tokenRefused(read.expected);
  return read.token;
}

const tokenRefused = (expected: string) =>
  new Problem('device.token-refused', 'The push relay refuses this token.', {
    errors: [{ pointer: '/token', detail: expected }],
  });

/** The name of an enabled endpoint with this token. @throws device.token-refused, relay.unavailable */
export async function ensureEndpoint(
  { push, log }: Context,
  phone: Token & { endpoint: string | null },
): Promise<string> {
  const registration = await push.register(phone);
  switch (registration.state) {
    case 'registered':
      return registration.endpoint;
    case 'refused':
      throw tokenRefused(registration.expected ?? 'Expected a token of this platform.');
    case 'unavailable':
      if (registration.misconfigured)
        log({
          event: 'relay.misconfigured',
          level: 'error',
          doing: 'register',
          service: phone.platform,
          error: registration.error,
        });
      else log({ event: 'relay.unavailable', doing: 'register', error: registration.error });
      throw relayUnavailable();
  }
}
