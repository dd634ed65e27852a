import { hexOf } from '../../identifiers.ts';
import type { Subscription } from './subscription.ts';

/** An encrypted push may have 4,096 bytes (RFC 8291, 4): these are left of them for its text. */
export const maxTextBytes = 4096 - (16 + 4 + 1 + 65) - 1 - 16;

/** Encrypts a text that only the browser can read. Rejects if its key is none. */
export type Encrypt = (
  text: string,
  subscription: Pick<Subscription, 'p256dh' | 'auth'>,
) => Promise<Uint8Array<ArrayBuffer>>;

const curve = { name: 'ECDH', namedCurve: 'P-256' };

/** The random part of a message: a key pair of its own, and a salt. */
export interface Chance {
  keys: CryptoKeyPair;
  salt: Uint8Array<ArrayBuffer>;
}

const newChance = async (): Promise<Chance> => ({
  keys: (await crypto.subtle.generateKey(curve, true, ['deriveBits'])) as CryptoKeyPair,
  salt: crypto.getRandomValues(new Uint8Array(16)),
});

/** The prime and the constant of P-256: y² = x³ - 3x + b (SEC 2, section 2.4.2). */
const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Whether an uncompressed point is one of P-256. Not every runtime asks when it imports a key. */
export function isOnCurve(point: Uint8Array): boolean {
  const numberAt = (from: number) => BigInt(`0x${hexOf(point.subarray(from, from + 32))}`);
  const [x, y] = [numberAt(1), numberAt(33)];
  return x < prime && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n;
}

/** RFC 8291, by one record of `aes128gcm` (RFC 8188), with WebCrypto, which every runtime has. `chance` is for test vectors. */
export async function encrypt(
  text: string,
  subscription: Pick<Subscription, 'p256dh' | 'auth'>,
  chance?: Chance,
): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = crypto;
  const [{ keys, salt }, browser] = await Promise.all([
    chance ?? newChance(),
    importPoint(subscription.p256dh),
  ]);
  // Types of the runtimes differ: `$public` is Cloudflare's name for the field, where the others have `public`.
  const agreement = { name: 'ECDH', public: browser } as unknown as Parameters<SubtleCrypto['deriveBits']>[0];
  const [own, secret] = await Promise.all([
    subtle.exportKey('raw', keys.publicKey) as Promise<ArrayBuffer>,
    subtle.deriveBits(agreement, keys.privateKey, 256),
  ]);
  const ownKey = new Uint8Array(own);
  const info = join(bytes(labels.input), subscription.p256dh, ownKey);
  const input = await derive(await secretOf(secret), subscription.auth, info, 32).then(secretOf);
  const [key, nonce] = await Promise.all([
    derive(input, salt, bytes(labels.key), 16).then((raw) =>
      subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt']),
    ),
    derive(input, salt, bytes(labels.nonce), 12),
  ]);
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, join(bytes(text), lastRecord));
  return join(salt, sizes, ownKey, new Uint8Array(sealed));
}

/** The labels of the three derivations. */
export const labels = {
  input: 'WebPush: info\0',
  key: 'Content-Encoding: aes128gcm\0',
  nonce: 'Content-Encoding: nonce\0',
};
/** After the salt: the size of a record, 4,096, and that of the key. */
export const sizes = Uint8Array.of(0, 0, 16, 0, 65);
/** The delimiter of the last record, without padding. */
export const lastRecord = Uint8Array.of(2);

const importPoint = (point: BufferSource) => crypto.subtle.importKey('raw', point, curve, false, []);

const secretOf = (raw: ArrayBuffer) => crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveBits']);

const derive = (
  secret: CryptoKey,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
) => crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, secret, length * 8);

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

function join(...parts: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
