import { createLocalJWKSet, type JWK, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose';
import { participantIssuer } from '../../identifiers.ts';
import { dayMs } from '../../schedule/days.ts';
import { openKey } from '../audit-key.ts';

/** Days for which a token is good at most. */
export const maxTokenDays = 400;

/** The tokens of participants who have no account at the provider, and of programs: the service signs them itself. */
export interface ParticipantTokens {
  /** Epoch ms; as long as it may be, if `expiresAt` is omitted. */
  sign(
    subject: string,
    at: { now: number; expiresAt?: number },
  ): Promise<{ token: string; expiresAt: number }>;
  verify(token: string, options: JWTVerifyOptions): ReturnType<typeof jwtVerify>;
  /** The public halves, as a key set lists them. */
  publicKeys(): Promise<JWK[]>;
}

/** `keys`: as `openKey` reads them. The first one signs, all of them verify. Without one there are no participants. */
export function createParticipantTokens(keys: readonly string[] = []): ParticipantTokens | undefined {
  if (keys.length === 0) return undefined;
  let opened: Promise<Awaited<ReturnType<typeof openKey>>[]> | undefined;
  // Opened at the first use, and once.
  const open = () => {
    opened ??= Promise.all(keys.map(openKey));
    return opened;
  };
  const publicKeys = async () => (await open()).map(({ publicKey }) => publicKey);
  return {
    publicKeys,
    async sign(subject, { now, expiresAt = now + maxTokenDays * dayMs }) {
      const [newest] = await open();
      if (!newest) throw new Error('no key');
      const { alg, kid } = newest.publicKey;
      const issuedAt = Math.floor(now / 1000);
      const expires = Math.floor(expiresAt / 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .setIssuer(participantIssuer)
        .setSubject(subject)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(newest.privateKey);
      return { token, expiresAt: expires * 1000 };
    },
    verify: async (token, options) =>
      jwtVerify(token, createLocalJWKSet({ keys: await publicKeys() }), {
        ...options,
        algorithms: ['EdDSA'],
      }),
  };
}
