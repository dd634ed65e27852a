import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { z } from 'zod';
import type { AuthConfig } from '../../config.ts';
import { notSignedUp, Problem } from '../../errors.ts';
import { findUserByToken } from '../../model/users.ts';
import type { Env, Identity } from '../context.ts';
import { email as emailField } from '../fields.ts';
import { createKeySet } from './key-sets.ts';

const skewSeconds = 60;
const mostKnown = 10_000;

/** A token that was found good is not verified again for so long: a key set is kept for ten times as long. */
const believedMs = 60_000;

/**
 * Lets in who has a valid token and is signed up; `POST /user` needs the token only. The user behind a token
 * is remembered, so a warm one costs no round trip.
 */
export function createAuth(config: AuthConfig) {
  const verify = believing(createVerify(config));
  /** From the subject of a token to the user's identifier; the oldest make room. */
  const known = new Map<string, string>();

  const identify = createMiddleware<Env>(async (c, next) => {
    const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!token) throw new Problem('auth.token-missing', 'Expected the header Authorization: Bearer <JWT>.');
    const { identity } = await verify(token, c.get('services').now());
    c.set('identity', identity);
    c.set('forget', () => known.delete(identity.subject));
    await next();
  });

  const lookUp = async (c: Context<Env>) => {
    const identity = c.get('identity');
    c.get('forget')();
    // Whoever signed up a moment ago may be unknown to a replica.
    const primary = c.get('primary');
    const user =
      (await findUserByToken(c.get('services').db, identity)) ??
      (primary && (await findUserByToken(primary, identity)));
    if (!user) throw notSignedUp();
    remember(known, identity.subject, user);
    return user;
  };

  const signedUp = createMiddleware<Env>(async (c, next) => {
    const actor = known.get(c.get('identity').subject) ?? (await lookUp(c));
    c.set('actor', actor);
    await next();
    // Another isolate may have deleted a user who is remembered here. They are a member of nothing, so that
    // all they meet is a 404: before it goes out, ask who they are now.
    if (c.res.status === 404 && (await lookUp(c)) !== actor)
      throw new Problem('user.changed', 'The user has just signed up anew: repeat the request.', {
        retryAfterSeconds: 1,
      });
  });

  return { identify, signedUp };
}

/** The oldest make room. */
function remember<V>(known: Map<string, V>, key: string, value: V) {
  for (const oldest of known.keys()) {
    if (known.size < mostKnown) break;
    known.delete(oldest);
  }
  known.set(key, value);
}

/** Verifies a bearer token (RFC 6750, RFC 9068). @throws auth.* */
type Verify = (token: string, now: number) => Promise<Verified>;

/** `expires`: the instant (epoch ms) from which on the token is refused. */
interface Verified {
  identity: Identity;
  expires: number;
}

/** Signatures cost more than all else that a small request does, and a client sends the same token again and again. */
function believing(verify: Verify): Verify {
  const known = new Map<string, Verified & { at: number }>();
  return async (token, now) => {
    const before = known.get(token);
    if (before && before.at <= now && now < Math.min(before.at + believedMs, before.expires)) return before;
    known.delete(token);
    const verified = { ...(await verify(token, now)), at: now };
    remember(known, token, verified);
    return verified;
  };
}

/** With a key set only its asymmetric algorithms are accepted, with a secret only HS256: never both. */
function createVerify({ issuer, audience, keys }: AuthConfig): Verify {
  const claims = { issuer, audience, clockTolerance: skewSeconds, requiredClaims: ['exp', 'sub'] };
  const check = 'jwksUrl' in keys ? againstKeySet(keys.jwksUrl) : againstSecret(keys.secret);
  return async (token, now) => {
    try {
      const verified = await check(token, { ...claims, currentDate: new Date(now) });
      if (!/^(?:(?:application\/)?(?:at\+)?jwt)?$/i.test(verified.protectedHeader.typ ?? ''))
        throw new Problem('auth.token-invalid', 'Expected a token of type JWT or at+jwt.');
      const { exp = 0 } = verified.payload;
      return { identity: identityOf(issuer, verified.payload), expires: (exp + skewSeconds) * 1000 };
    } catch (error) {
      throw error instanceof Problem ? error : explain(error);
    }
  };
}

function againstKeySet(url: string) {
  const keySet = createKeySet(url);
  const algorithms = ['RS256', 'ES256', 'EdDSA'];
  return (token: string, options: JWTVerifyOptions) => jwtVerify(token, keySet, { ...options, algorithms });
}

function againstSecret(secret: string) {
  const key = new TextEncoder().encode(secret);
  return (token: string, options: JWTVerifyOptions) =>
    jwtVerify(token, key, { ...options, algorithms: ['HS256'] });
}

function explain(error: unknown) {
  if (error instanceof errors.JWTExpired)
    return new Problem('auth.token-expired', 'The token has expired: ask for a new one.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new Problem(
      'auth.token-invalid',
      `The claim '${error.claim}' is missing or not the expected one.`,
    );
  return new Problem('auth.token-invalid', 'Expected a signed JWT of the configured issuer.');
}

const subject = z
  .string()
  .min(1)
  .max(255)
  .refine((text) => text.isWellFormed());

/** Apple, for one, sends the string: "Sign in with Apple REST API", claims of the identity token. */
const verified = z.literal([true, 'true']);

function identityOf(issuer: string, claims: JWTPayload): Identity {
  const sub = subject.safeParse(claims.sub);
  if (!sub.success) throw new Problem('auth.token-invalid', "Expected a claim 'sub' of 1 to 255 characters.");
  const email = emailField.safeParse(claims.email);
  return {
    issuer,
    subject: sub.data,
    email: email.success && verified.safeParse(claims.email_verified).success ? email.data : null,
  };
}
