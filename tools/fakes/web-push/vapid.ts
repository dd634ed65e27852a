import { base64url, compactVerify, importJWK } from 'jose';
import { refused } from './refusal.ts';

const maxLifetimeSeconds = 24 * 3600;

/** The request whose sender is to be known. */
export interface Signed {
  authorization: string | undefined;
  /** The origin of the push service. */
  audience: string;
  /** Epoch ms. */
  now: number;
  /** How far the token's times may be from the clock; Infinity: they are not compared. */
  maxSkewMs: number;
}

/** Checks who sends a push (RFC 8292). @returns the sender's public key @throws Refusal */
export async function checkVapid({ authorization, audience, now, maxSkewMs }: Signed): Promise<string> {
  const [, token, key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  if (!token || !key) throw refused(401, 'Expected the header Authorization: vapid t=<token>, k=<key>.');
  const { header, claims } = await verify(token, key);
  if (header.alg !== 'ES256') throw refused(403, 'Expected a token signed by ES256.');
  const { aud, exp, sub } = claims;
  if (aud !== audience) throw refused(403, `Expected the audience ${audience}, not ${aud}.`);
  if (typeof exp !== 'number' || !Number.isInteger(exp)) throw refused(403, 'Expected a time of expiry.');
  const leftMs = exp * 1000 - now;
  if (Number.isFinite(maxSkewMs) && (leftMs < -maxSkewMs || leftMs > maxLifetimeSeconds * 1000 + maxSkewMs))
    throw refused(403, 'Expected a token that expires within 24 hours.');
  if (typeof sub !== 'string' || !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(sub))
    throw refused(403, 'Expected a subject that is a mailto: or https URL.');
  return key;
}

async function verify(token: string, key: string) {
  try {
    const point = base64url.decode(key);
    if (point.length !== 65 || point[0] !== 4) throw new Error('not an uncompressed point');
    const [x, y] = [point.slice(1, 33), point.slice(33)].map((part) => base64url.encode(part));
    const publicKey = await importJWK({ kty: 'EC', crv: 'P-256', x, y } as object, 'ES256');
    const { payload, protectedHeader } = await compactVerify(token, publicKey);
    return { header: protectedHeader, claims: JSON.parse(new TextDecoder().decode(payload)) };
  } catch (error) {
    throw refused(403, `The token is not signed with its key: ${(error as Error).message}.`);
  }
}
