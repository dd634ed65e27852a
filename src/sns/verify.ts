import { importX509 } from 'jose';
import type { SnsMessage } from './message.ts';
import { withDeadline } from './query.ts';

/** `unknown`: the certificate cannot be had at this moment. */
export type Authenticity = 'genuine' | 'forged' | 'unknown';

interface Keys {
  '1': CryptoKey;
  '2': CryptoKey;
}

/** SNS signs with one certificate at a time and changes it about once a year. */
const MAX_CERTIFICATES = 8;

const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9a-f]{32,64}\.pem$/;

/**
 * Checks SNS's signatures, version 1 (SHA-1) and 2 (SHA-256) (Amazon SNS, "Verifying the signatures of messages").
 * A certificate is believed because of where it comes from, over TLS and without redirects, and is then kept.
 */
export function createVerifier({ fetch: send, timeoutMs }: { fetch: typeof fetch; timeoutMs: number }) {
  const kept = new Map<string, Keys>();

  async function keysOf(url: string): Promise<Keys | 'forged' | 'unknown'> {
    const known = kept.get(url);
    if (known) return known;
    const pem = await withDeadline(timeoutMs, async (signal) => {
      const response = await send(url, { signal, redirect: 'manual' });
      const text = await response.text();
      if (response.status === 200) return text;
      return response.status === 429 || response.status >= 500 ? null : undefined;
    }).catch(() => null);
    if (pem === null) return 'unknown';
    const keys = pem === undefined ? undefined : await readKeys(pem);
    if (!keys) return 'forged';
    if (kept.size >= MAX_CERTIFICATES) kept.clear();
    kept.set(url, keys);
    return keys;
  }

  /** `origins`: where the certificates of the message's topic may come from. */
  return async (message: SnsMessage, origins: readonly string[]): Promise<Authenticity> => {
    const { signatureVersion: version, certificateUrl } = message;
    if ((version !== '1' && version !== '2') || !isCertificateUrl(certificateUrl, origins)) return 'forged';
    const signature = decodeBase64(message.signature);
    if (!signature) return 'forged';
    const keys = await keysOf(certificateUrl);
    if (typeof keys === 'string') return keys;
    const signed = new TextEncoder().encode(message.signed);
    const genuine = await crypto.subtle.verify('RSASSA-PKCS1-v1_5', keys[version], signature, signed);
    return genuine ? 'genuine' : 'forged';
  };
}

/** The text must be the address's only spelling: no user, port, query, fragment or `..`. */
function isCertificateUrl(text: string, origins: readonly string[]): boolean {
  return origins.some(
    (origin) => text.startsWith(origin) && CERTIFICATE_PATH.test(text.slice(origin.length)),
  );
}

async function readKeys(pem: string): Promise<Keys | undefined> {
  try {
    const sha256 = await importX509(pem.trim(), 'RS256', { extractable: true });
    const spki = await crypto.subtle.exportKey('spki', sha256);
    const rsaWithSha1 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' };
    const sha1 = await crypto.subtle.importKey('spki', spki as ArrayBuffer, rsaWithSha1, false, ['verify']);
    return { '1': sha1, '2': sha256 };
  } catch {
    return undefined;
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
