import { and, ne, type SQL } from 'drizzle-orm';
import { oneOf } from '../db/json.ts';
import { devices } from '../db/schema/users.ts';
import { Problem } from '../errors.ts';
import type { Context } from './context.ts';
import type { Token } from './device-phones.ts';
import { type Mending, noteRegistration, registerAgain } from './relay-changes.ts';

export const retryAfterSeconds = 5;

/** The ARN of an enabled endpoint with this token. @throws device.token-refused, relay.unavailable */
export async function ensureEndpoint(
  { push, log }: Context,
  { platform, token, endpoint = null }: Token & { endpoint?: string | null | undefined },
) {
  const registration = await push.register({ platform, token, endpoint });
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

/**
 * Removes endpoints from the relay, of `owner` where they are the ones who give them up. A user who registered one of these
 * phones meanwhile was given the same endpoint, and gets another one. False when the relay did not confirm all; such an
 * endpoint may be gone nevertheless.
 */
export async function removeEndpoints(
  context: Mending,
  gone: readonly { endpoint: string }[],
  owner?: string,
): Promise<boolean> {
  const { push, log } = context;
  const endpoints = [...new Set(gone.map((device) => device.endpoint))];
  if (endpoints.length === 0) return true;
  const removals = await Promise.all(endpoints.map((endpoint) => push.remove(endpoint)));
  const isElse = owner === undefined ? undefined : ne(devices.userId, owner);
  const hit = await noteRegistration(context, and(oneOf(devices.endpoint, endpoints), isElse) as SQL);
  await Promise.all(hit.map((device) => registerAgain(context, device)));
  for (const removal of removals)
    if (removal.state === 'unavailable')
      log({ event: 'relay.unavailable', doing: 'remove', error: removal.error });
  return removals.every((removal) => removal.state === 'removed');
}

export const relayUnavailable = () =>
  new Problem('relay.unavailable', 'The push relay did not confirm the change: send the request again.', {
    retryAfterSeconds,
  });
