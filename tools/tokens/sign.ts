import { SignJWT } from 'jose';
import type { AuthConfig } from '../../src/config.ts';
import { StartError } from '../settings/start-error.ts';

export interface TokenOptions {
  subject: string;
  /** Included as verified. */
  email?: string | undefined;
  /** Seconds from now. A negative number makes an expired token. */
  expiresIn: number;
  /** Seconds since the person signed in. */
  authTime?: number | undefined;
  /** When it is issued (epoch ms). Default: now. */
  now?: number;
}

/** Signs a token that the service accepts in local mode. @throws StartError when a provider signs the tokens */
export async function signToken(
  auth: AuthConfig,
  { subject, email, expiresIn, authTime, now: at }: TokenOptions,
) {
  if (!('secret' in auth.keys))
    throw new StartError('AUTH_JWKS_URL is set: tokens come from that provider, none can be made locally');
  const now = Math.floor((at ?? Date.now()) / 1000);
  return new SignJWT({
    ...(email !== undefined && { email, email_verified: true }),
    ...(authTime !== undefined && { auth_time: now - authTime }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(auth.issuer)
    .setAudience(auth.audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresIn)
    .sign(new TextEncoder().encode(auth.keys.secret));
}
