import { SignJWT } from 'jose';
import type { AuthConfig } from '../src/config.ts';

const secret = 'a secret of the simulator, which protects nothing';

/** The simulated application's own configuration of tokens. */
export const auth: AuthConfig = {
  issuer: 'https://simulator.localhost/',
  audience: 'fieldbell',
  keys: { secret },
};

const farAway = Date.parse('2200-01-01') / 1000;
const signed = new Map<string, Promise<string>>();

export const emailOf = (name: string) => `${name.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.org`;

/** A token as the identity provider would sign it, once per name. */
export function tokenOf(name: string): Promise<string> {
  const known = signed.get(name);
  if (known) return known;
  const token = new SignJWT({ email: emailOf(name), email_verified: true })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(auth.issuer)
    .setAudience(auth.audience)
    .setSubject(name)
    .setExpirationTime(farAway)
    .sign(new TextEncoder().encode(secret));
  signed.set(name, token);
  return token;
}

/** From now on this person has a token of the service's own. */
export const keepToken = (name: string, token: string): unknown => signed.set(name, Promise.resolve(token));
