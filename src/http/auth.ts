import { createMiddleware } from 'hono/factory';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { z } from 'zod';
import type { AuthConfig } from '../config.ts';
import { Problem } from '../errors.ts';
import { findUserByToken } from '../model/users.ts';
import type { Env, Identity } from './context.ts';

const skewSeconds = 60;
const cachedUsers = 10_000;

/** Verifies a bearer token (RFC 6750, RFC 9068). @throws auth.token-* */
type Verify = (token: string, now: number) => Promise<Identity>;

/** With a key set only its asymmetric algorithms are accepted, with a secret only HS256: never both. */
function createVerify(config: AuthConfig): Verify {
  const { keys } = config;
  const remote = 'jwksUrl' in keys ? createRemoteJWKSet(new URL(keys.jwksUrl)) : null;
  const secret = 'secret' in keys ? new TextEncoder().encode(keys.secret) : null;
  return async (token, now) => {
    const options: JWTVerifyOptions = {
      issuer: config.issuer,
      audience: config.audience,
      algorithms: remote ? ['RS256', 'ES256', 'EdDSA'] : ['HS256'],
      clockTolerance: skewSeconds,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    };
    try {
      const verified = remote
        ? await jwtVerify(token, remote, options)
        : await jwtVerify(token, secret ?? new Uint8Array(), options);
      if (!/^(?:(?:application\/)?(?:at\+)?jwt)?$/i.test(verified.protectedHeader.typ ?? ''))
        throw new Problem('auth.token-invalid', 'Expected a token of type JWT or at+jwt.');
      return identityOf(config.issuer, verified.payload);
    } catch (error) {
      throw explain(error);
    }
  };
}

function explain(error: unknown): unknown {
  if (error instanceof errors.JWTExpired)
    return new Problem('auth.token-expired', 'The token has expired: ask for a new one.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new Problem(
      'auth.token-invalid',
      `The claim '${error.claim}' is missing or not the expected one.`,
    );
  if (error instanceof errors.JWKSTimeout)
    return new Problem('database.overloaded', 'The key set of the identity provider is out of reach.', {
      retryAfterSeconds: 5,
    });
  if (error instanceof errors.JOSEError)
    return new Problem('auth.token-invalid', 'Expected a signed JWT of the configured issuer.');
  return error;
}

function identityOf(issuer: string, claims: JWTPayload): Identity {
  const subject = claims.sub;
  if (!subject || subject.length > 255)
    throw new Problem('auth.token-invalid', "Expected a claim 'sub' of 1 to 255 characters.");
  const email = z.email().max(254).safeParse(claims.email);
  return {
    issuer,
    subject,
    email: email.success && claims.email_verified === true ? email.data.toLowerCase() : null,
  };
}

/**
 * Lets in who has a valid token and is signed up; `POST /user` needs the token only. The user behind a token
 * never changes, so it is remembered and costs no round trip when warm; `forget` is for a deleted user.
 */
export function createAuth(config: AuthConfig) {
  const verify = createVerify(config);
  const known = new Map<string, string>();
  const key = (identity: Identity) => `${identity.issuer} ${identity.subject}`;

  const identify = createMiddleware<Env>(async (c, next) => {
    const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!token) throw new Problem('auth.token-missing', 'Expected the header Authorization: Bearer <JWT>.');
    c.set('identity', await verify(token, c.get('services').now()));
    await next();
  });

  const signedUp = createMiddleware<Env>(async (c, next) => {
    const identity = c.get('identity');
    const actor = known.get(key(identity)) ?? (await findUserByToken(c.get('services').db, identity));
    if (!actor) throw new Problem('user.not-signed-up', 'Sign up first: POST /user.');
    if (known.size >= cachedUsers) known.clear();
    known.set(key(identity), actor);
    c.set('actor', actor);
    await next();
  });

  const forget = (identity: Identity) => known.delete(key(identity));
  return { identify, signedUp, forget };
}
