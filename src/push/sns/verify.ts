import { importX509 } from 'jose';
import { readText, withDeadline } from '../../outgoing.ts';
import type { SnsMessage } from './message.ts';

/** `unknown`: the certificate cannot be fetched now. */
export type Authenticity = 'genuine' | 'forged' | 'unknown';

interface Keys {
  '1': CryptoKey;
  '2': CryptoKey;
}

type Answer = Keys | 'forged' | 'unknown';

const maxCertificateBytes = 64 * 1024;

/** SNS uses one certificate at a time and replaces it about once a year. */
const maxCertificates = 32;

/**
 * Addresses that gave no certificate, or not yet. Forgers can invent as many as they like, so no more than these are
 * asked within their time.
 */
const maxFailures = 8;
const forgedMs = 10 * 60_000;
const unknownMs = 20_000;

const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{32,64}\.pem$/;

/**
 * Verifies SNS's signatures, version 1 (SHA-1) and 2 (SHA-256) (Amazon SNS, "Verifying the signatures of messages").
 * A certificate is trusted for its origin, fetched over TLS without redirects, and cached.
 */
export function createVerifier({ fetch: send, timeoutMs }: { fetch: typeof fetch; timeoutMs: number }) {
  const known = new Map<string, Keys>();
  const failures = new Map<string, { answer: Promise<Answer>; until: number }>();

  async function ask(url: string): Promise<Answer> {
    const pem = await withDeadline(timeoutMs, async (signal) => {
      const response = await send(url, { signal, redirect: 'manual' });
      const text = await readText(response.body, maxCertificateBytes);
      if (response.status === 200) return text;
      return response.status === 429 || response.status >= 500 ? null : undefined;
    }).catch(() => null);
    if (pem === null) return 'unknown';
    return (pem !== undefined && (await readKeys(pem))) || 'forged';
  }

  async function keysOf(url: string, now: number): Promise<Answer> {
    const keys = known.get(url);
    if (keys) return keys;
    for (const [failed, { until }] of failures) if (until <= now) failures.delete(failed);
    const failure = failures.get(url);
    if (failure) return failure.answer;
    if (failures.size >= maxFailures) return 'unknown';
    const entry = { answer: ask(url), until: Infinity };
    failures.set(url, entry);
    const answer = await entry.answer;
    entry.until = now + (answer === 'unknown' ? unknownMs : forgedMs);
    if (typeof answer === 'string') return answer;
    failures.delete(url);
    if (known.size >= maxCertificates) known.clear();
    known.set(url, answer);
    return answer;
  }

  /** `origins`: the hosts that may serve the certificate of the message's topic. `now`: epoch ms. */
  return async (message: SnsMessage, origins: readonly string[], now: number): Promise<Authenticity> => {
    const { signatureVersion: version, certificateUrl } = message;
    if ((version !== '1' && version !== '2') || !isCertificateUrl(certificateUrl, origins)) return 'forged';
    const signature = decodeBase64(message.signature);
    if (!signature) return 'forged';
    const keys = await keysOf(certificateUrl, now);
    if (typeof keys === 'string') return keys;
    const signed = new TextEncoder().encode(message.signed);
    const genuine = await crypto.subtle.verify('RSASSA-PKCS1-v1_5', keys[version], signature, signed);
    return genuine ? 'genuine' : 'forged';
  };
}

/** Accepts one spelling only: no user, port, query, fragment or `..`. */
function isCertificateUrl(text: string, origins: readonly string[]): boolean {
  return origins.some((origin) => text.startsWith(origin) && certificatePath.test(text.slice(origin.length)));
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
