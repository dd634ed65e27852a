import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../errors.ts';

const timeoutMs = 3_000;

/** So long a provider that did not answer is left alone. */
const restMs = 10_000;

/**
 * The keys of an OpenID Connect provider (RFC 7517). They are fetched when first needed, kept for ten minutes,
 * and fetched again, at most twice a minute, when a token names a key that is not among them. While the
 * provider is out of reach, the keys known so far go on working. @throws auth.keys-unavailable
 */
export function createKeySet(url: string): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(url), { timeoutDuration: timeoutMs });
  let restsUntil = 0;
  return async (header, token) => {
    if (Date.now() >= restsUntil) {
      try {
        return await remote(header, token);
      } catch (error) {
        if (isAboutTheToken(error)) throw error;
        restsUntil = Date.now() + restMs;
      }
    }
    const known = remote.jwks();
    try {
      if (known) return await createLocalJWKSet(known)(header, token);
    } catch {
      // The provider may have got a new key since: whether the token is good cannot be told.
    }
    throw new Problem('auth.keys-unavailable', 'The key set of the identity provider is out of reach.', {
      retryAfterSeconds: restMs / 1000,
    });
  };
}

/** Anything else means that the key set was not fetched, or is not one. */
const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
