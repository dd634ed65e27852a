import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import { Problem } from '../../errors.ts';
import { readText, withDeadline } from '../../outgoing.ts';

const patienceMs = 3_000;

/** A key has some 2 KB, with its certificates some 10. */
const maxKeySetBytes = 256 * 1024;

/** Pause after a provider has not answered. */
const pauseMs = 10_000;

/** Between two fetches for tokens with an unknown key, by default of `createRemoteJWKSet`. */
const cooldownMs = 30_000;

/**
 * The keys of an OpenID Connect provider (RFC 7517), fetched on first use and cached for ten minutes. A token with an
 * unknown key fetches them again, and once more within half a minute, since the key may have been rotated just after a
 * fetch: at most four times a minute. While the provider is unreachable, cached keys stay valid.
 * @throws auth.keys-unavailable
 */
export function createKeySet(url: string, timeoutMs = patienceMs): JWTVerifyGetKey {
  const fetchKeys: FetchImplementation = (href, request) =>
    withDeadline(timeoutMs, async (signal) => {
      const { body, status } = await fetch(href, { ...request, signal });
      return new Response(await readText(body, maxKeySetBytes), { status });
    });
  const remote = createRemoteJWKSet(new URL(url), {
    [customFetch]: fetchKeys,
    cooldownDuration: cooldownMs,
  });
  let pausedUntil = 0;
  let reloadedAt = 0;
  const find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      const mayBeNew = error instanceof errors.JWKSNoMatchingKey && remote.coolingDown;
      if (!mayBeNew || Date.now() - reloadedAt < cooldownMs) throw error;
      reloadedAt = Date.now();
      await remote.reload();
      return remote(header, token);
    }
  };
  return async (header, token) => {
    if (Date.now() >= pausedUntil) {
      try {
        return await find(header, token);
      } catch (error) {
        if (isAboutTheToken(error)) throw error;
        pausedUntil = Date.now() + pauseMs;
      }
    }
    const cached = remote.jwks();
    try {
      if (cached) return await createLocalJWKSet(cached)(header, token);
    } catch {
      // The provider may have a newer key: the token can be neither accepted nor refused.
    }
    throw new Problem('auth.keys-unavailable', 'The key set of the identity provider is unreachable.', {
      retryAfterSeconds: pauseMs / 1000,
    });
  };
}

/** Other errors mean that the key set was not fetched, or is malformed. */
const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
