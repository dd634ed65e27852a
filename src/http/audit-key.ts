import { CompactSign, calculateJwkThumbprint, exportJWK, importPKCS8, type JWK } from 'jose';

/** The key that signs the heads of activity logs. */
export interface AuditKey {
  /** A JWS (RFC 7515, compact) of the JSON of `payload`. */
  sign(payload: object): Promise<string>;
  /** The public half, alone, as a key set (RFC 7517) lists it. */
  publicKeys(): Promise<JWK[]>;
}

const alg = 'EdDSA';

/** `setting`: `AUDIT_SIGNING_KEY`, an Ed25519 key in PKCS #8, base64 of its DER. */
export function createAuditKey(setting: string | undefined): AuditKey | undefined {
  if (!setting) return undefined;
  let opened: ReturnType<typeof openKey> | undefined;
  // Opened at the first use, and once.
  const key = () => {
    opened ??= openKey(setting);
    return opened;
  };
  return {
    async sign(payload) {
      const { privateKey, publicKey } = await key();
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg, kid: publicKey.kid })
        .sign(privateKey);
    },
    publicKeys: async () => [(await key()).publicKey],
  };
}

interface OpenKey {
  privateKey: CryptoKey;
  publicKey: Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'kid' | 'alg' | 'use'>>;
}

/** Both halves of an Ed25519 key in PKCS #8, base64 of its DER. */
export async function openKey(setting: string): Promise<OpenKey> {
  const pem = `-----BEGIN PRIVATE KEY-----\n${setting}\n-----END PRIVATE KEY-----`;
  const privateKey = await importPKCS8(pem, alg, { extractable: true });
  const { kty, crv, x } = (await exportJWK(privateKey)) as Required<Pick<JWK, 'kty' | 'crv' | 'x'>>;
  const kid = await calculateJwkThumbprint({ kty, crv, x });
  return { privateKey, publicKey: { kty, crv, x, kid, alg, use: 'sig' } };
}
