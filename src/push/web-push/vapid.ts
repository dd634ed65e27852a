import { base64url, CompactSign, exportJWK, importPKCS8 } from 'jose';

/** The identity of this service for the push services of browsers (RFC 8292). */
export interface VapidSettings {
  /** The private scalar of a P-256 key, 32 bytes as base64url: the form in which tools for web push give it. */
  privateKey: string;
  /** A `mailto:` or https URL, by which a push service reaches the operator. */
  subject: string;
}

/** A push service refuses tokens that are good for more than 24 hours (RFC 8292, 2). */
const lifetimeMs = 12 * 3600_000;
const renewedBeforeMs = 3600_000;

/** Push services with a token at hand. Subscriptions name them, so there might be any number. */
const maxTokens = 100;

/** Everything of PKCS #8 but the scalar (RFC 5958, RFC 5915): a key of P-256 without its public half. */
const pkcs8Head = 'MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCA=';

/** Tokens are signed once for each push service and half a day, since a signature costs as much as an encryption. */
export function createVapid({ privateKey, subject }: VapidSettings) {
  const tokens = new Map<string, { expiresAt: number; token: Promise<string> }>();
  let opened: ReturnType<typeof open> | undefined;
  // Opened at the first use, and once.
  const key = () => {
    opened ??= open(privateKey);
    return opened;
  };

  const sign = async (audience: string, expiresAt: number) => {
    const claims = { aud: audience, exp: Math.floor(expiresAt / 1000), sub: subject };
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .sign((await key()).privateKey);
  };

  return {
    /** The uncompressed point, as base64url: the `applicationServerKey` of a browser. */
    publicKey: async () => (await key()).publicKey,
    /** The header of a request to this origin at `now` (epoch ms). Rejects if the key is none. */
    async authorization(audience: string, now: number): Promise<string> {
      const known = tokens.get(audience);
      const leftMs = (known?.expiresAt ?? 0) - now;
      let token = known?.token;
      // A clock that was set back would otherwise keep a token that is good for too long.
      if (!token || leftMs < renewedBeforeMs || leftMs > lifetimeMs) {
        if (tokens.size >= maxTokens) tokens.clear();
        const expiresAt = now + lifetimeMs;
        token = sign(audience, expiresAt);
        tokens.set(audience, { expiresAt, token });
      }
      return `vapid t=${await token}, k=${(await key()).publicKey}`;
    },
  };
}

async function open(scalar: string) {
  const der = Uint8Array.from([...base64url.decode(pkcs8Head), ...base64url.decode(scalar)]);
  const pem = `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...der))}\n-----END PRIVATE KEY-----`;
  const privateKey = await importPKCS8(pem, 'ES256', { extractable: true });
  const { x = '', y = '' } = await exportJWK(privateKey);
  const point = Uint8Array.from([4, ...base64url.decode(x), ...base64url.decode(y)]);
  return { privateKey, publicKey: base64url.encode(point) };
}
