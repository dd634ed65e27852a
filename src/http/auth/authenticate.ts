import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import * as z from 'zod';
import { attempt } from '../../attempt.ts';
import type { AuthConfig } from '../../config.ts';
import { forbidden, notSignedUp, Problem } from '../../errors.ts';
import { participantIssuer } from '../../identifiers.ts';
import { type Account, findUserByToken, noteSeen, takeEmail } from '../../people/sign-ups.ts';
import type { Env, Identity } from '../context.ts';
import { email as emailField } from '../email.ts';
import { isReading } from '../is-reading.ts';
import { remember } from '../remember.ts';
import { bounded } from '../validation.ts';
import { createKeySet } from './key-sets.ts';
import type { ParticipantTokens } from './participant-tokens.ts';

const skewSeconds = 60;

/**
 * A valid token is not verified again for this long, and neither its proven address nor, of a participant, whether it was
 * ended is looked at again; a key set is cached ten times longer.
 */
const trustMs = 60_000;

/** A user who reads is noted as seen this often, which costs a write. */
const seenMs = 3600_000;

/**
 * Requires a valid token, and a user who signed up with it; `POST /user` needs only the token. Users are cached by
 * token, so authentication costs no round trip when warm.
 */
export function createAuth(config: AuthConfig, participants: ParticipantTokens | undefined) {
  const verify = cachedVerify(createVerify(config, participants));
  /** By the issuer and the subject of the token. */
  const cachedUsers = new Map<string, KnownUser>();

  const identify = createMiddleware<Env>(async (c, next) => {
    const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (!token) throw new Problem('auth.token-missing', 'Expected the header Authorization: Bearer <JWT>.');
    const { identity } = await verify(token, c.get('services').now());
    c.set('identity', identity);
    c.set('forget', () => cachedUsers.delete(nameOf(identity)));
    await next();
  });

  const lookUp = async (c: Context<Env>) => {
    const identity = c.get('identity');
    c.get('forget')();
    const { db, now } = c.get('services');
    const lookedAt = now();
    const user = await findUserByToken(db, identity);
    if (!user) throw isParticipant(identity) ? tokenEnded() : notSignedUp();
    const email = provesAnother(identity, user) ? await takeEmail(db, user, identity) : user.email;
    const known = { ...user, email, lookedAt, seenAt: user.seenAt ?? 0 };
    remember(cachedUsers, nameOf(identity), known);
    return known;
  };

  const signedUp = createMiddleware<Env>(async (c, next) => {
    const identity = c.get('identity');
    const known = cachedUsers.get(nameOf(identity));
    const isStale =
      known &&
      (provesAnother(identity, known) || isParticipant(identity)) &&
      c.get('services').now() - known.lookedAt >= trustMs;
    const { id: actor, isProgram } = known && !isStale ? known : await lookUp(c);
    c.set('actor', actor);
    c.set('isProgram', isProgram === 1);
    if (isProgram && !isReading(c.req))
      throw forbidden('Programs read, and write nothing: expected GET or HEAD.');
    await next();
    if (isSignOfLife(c)) noteSeenHourly(c, cachedUsers.get(nameOf(identity)));
    // Another isolate may have deleted a user who is cached here. Such users are members of no study, so all their
    // requests end in a 404: look them up again before it is sent.
    if (c.res.status === 404 && (await lookUp(c)).id !== actor)
      throw new Problem('user.changed', 'The user has just signed up again: repeat the request.', {
        retryAfterSeconds: 1,
      });
  });

  /** The earlier tokens of a participant end here at once, and within a minute elsewhere. */
  const forgetUser = (user: string) => {
    for (const [name, { id }] of cachedUsers) if (id === user) cachedUsers.delete(name);
  };

  return { identify, signedUp, forgetUser };
}

/** A phone that reads, or says what became of a push. A response has a time of its own. */
const isSignOfLife = ({ req, res }: Context<Env>) =>
  res.status < 400 && (req.method === 'GET' || /\/receipts?$/.test(req.path));

function noteSeenHourly(c: Context<Env>, user: KnownUser | undefined) {
  const services = c.get('services');
  const now = services.now();
  if (!user || now - user.seenAt < seenMs) return;
  user.seenAt = now;
  services.defer(() =>
    attempt(services, 'access.failed', async () => {
      await noteSeen(services.db, user.id, now);
    }),
  );
}

interface KnownUser extends Pick<Account, 'id' | 'email' | 'isProgram'> {
  lookedAt: number;
  /** When a request of theirs was last noted. */
  seenAt: number;
}

const nameOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;

const isParticipant = ({ issuer }: Identity) => issuer === participantIssuer;

/** Ending the tokens of a participant gives them another subject, and a program none. */
const tokenEnded = () =>
  new Problem(
    'auth.token-invalid',
    'The token was ended: the team of the study gives the participant a code, or the program another token.',
  );

const provesAnother = (identity: Identity, { email }: Pick<Account, 'email'>) =>
  identity.email !== null && identity.email !== email;

/** Verifies a bearer token (RFC 6750, RFC 9068). @throws auth.* */
type Verify = (token: string, now: number) => Promise<Verified>;

/** `expires`: epoch ms, skew included. */
interface Verified {
  identity: Identity;
  expires: number;
}

/** Clients repeat their token, and verifying its signature is the most expensive part of a small request. */
function cachedVerify(verify: Verify): Verify {
  const cache = new Map<string, Verified & { at: number }>();
  return async (token, now) => {
    const cached = cache.get(token);
    if (cached && cached.at <= now && now < Math.min(cached.at + trustMs, cached.expires)) return cached;
    cache.delete(token);
    const verified = { ...(await verify(token, now)), at: now };
    remember(cache, token, verified);
    return verified;
  };
}

/**
 * Accepts only asymmetric algorithms with a key set, and only HS256 with a secret: never both. Beside them, tokens of the
 * service's own issuer, if it has a key: no other key vouches for participants, and theirs for nobody else.
 */
function createVerify({ issuer, audience, keys }: AuthConfig, participants?: ParticipantTokens): Verify {
  const check = 'jwksUrl' in keys ? againstKeySet(keys.jwksUrl) : againstSecret(keys.secret);
  const verifyProvided = checking(check, { issuer, audience });
  if (!participants) return verifyProvided;
  const verifyOwn = checking(participants.verify, { issuer: participantIssuer });
  return (token, now) => (issuerOf(token) === participantIssuer ? verifyOwn : verifyProvided)(token, now);
}

/** As the token says, before it is verified. */
function issuerOf(token: string) {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function checking(
  check: (token: string, options: JWTVerifyOptions) => ReturnType<typeof jwtVerify>,
  claims: { issuer: string; audience?: string },
): Verify {
  const options = { ...claims, clockTolerance: skewSeconds, requiredClaims: ['exp', 'sub'] };
  return async (token, now) => {
    try {
      const verified = await check(token, { ...options, currentDate: new Date(now) });
      if (!/^(?:(?:application\/)?(?:at\+)?jwt)?$/i.test(verified.protectedHeader.typ ?? ''))
        throw new Problem('auth.token-invalid', 'Expected a token of type JWT or at+jwt.');
      const { exp = 0 } = verified.payload;
      return {
        identity: identityOf(claims.issuer, verified.payload, now),
        expires: (exp + skewSeconds) * 1000,
      };
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

const expectedSubject = "Expected a claim 'sub' of 1 to 255 characters.";
const subject = bounded(255, expectedSubject)
  .min(1)
  .refine((text) => text.isWellFormed());

/** Apple sends the string ("Sign in with Apple REST API", claims of the identity token). */
const verified = z.literal([true, 'true']);

function identityOf(issuer: string, claims: JWTPayload, now: number): Identity {
  const sub = subject.safeParse(claims.sub);
  if (!sub.success) throw new Problem('auth.token-invalid', expectedSubject);
  const email = emailField.safeParse(claims.email);
  const authTime = z.number().safeParse(claims.auth_time);
  return {
    issuer,
    subject: sub.data,
    authTime: authTime.success ? authTime.data : null,
    email: email.success && verified.safeParse(claims.email_verified).success ? email.data : null,
    provedAt: Math.min(now, (claims.iat ?? Number.POSITIVE_INFINITY) * 1000),
  };
}
