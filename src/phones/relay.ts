import type { Context } from '../context.ts';
import { Problem } from '../errors.ts';
import type { Token } from './statements.ts';

export const retryAfterSeconds = 5;

export const relayUnavailable = () =>
  new Problem('relay.unavailable', 'The push relay did not confirm the change: send the request again.', {
    retryAfterSeconds,
  });

/** The ARN of an enabled endpoint with this token. @throws device.token-refused, relay.unavailable */
export async function ensureEndpoint(
  { push, log }: Context,
  phone: Token & { endpoint: string | null },
): Promise<string> {
  const registration = await push.register(phone);
  switch (registration.state) {
    case 'registered':
      return registration.endpoint;
    case 'refused':
      throw new Problem('device.token-refused', 'The push relay refuses this token.', {
        errors: [{ pointer: '/token', detail: 'Expected a token of this platform.' }],
      });
    case 'unavailable':
      if (registration.misconfigured)
        log({ event: 'relay.misconfigured', level: 'error', doing: 'register', error: registration.error });
      else log({ event: 'relay.unavailable', doing: 'register', error: registration.error });
      throw relayUnavailable();
  }
}
