import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The secrets of a browser's subscription, as base64url. */
export interface BrowserKeys {
  privateKey: string;
  auth: string;
}

const curve = 'prime256v1';
const keyBytes = 65;
const tagBytes = 16;

/** New secrets, as a browser makes them when a page subscribes. */
export function newKeys(): BrowserKeys {
  const ecdh = createECDH(curve);
  ecdh.generateKeys();
  return { privateKey: ecdh.getPrivateKey('base64url'), auth: randomBytes(16).toString('base64url') };
}

/** The public half of the keys, as a PushSubscription has them. */
export const publicKeys = ({ privateKey, auth }: BrowserKeys) => ({
  p256dh: openKey(privateKey).getPublicKey('base64url'),
  auth,
});

/** Reads a push as a browser does (RFC 8291, RFC 8188). @throws when it cannot be read */
export function decrypt(message: Buffer, { privateKey, auth }: BrowserKeys): string {
  if (message.length < 21 + keyBytes + tagBytes + 1) throw new Error('The message is too short.');
  const salt = message.subarray(0, 16);
  const recordSize = message.readUInt32BE(16);
  const head = 21 + keyBytes;
  if (message[20] !== keyBytes) throw new Error('The key of the message is not an uncompressed point.');
  if (message.length - head > recordSize) throw new Error('The message has more than one record.');
  const sender = message.subarray(21, head);
  const ecdh = openKey(privateKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const input = hkdf(ecdh.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32);
  const key = hkdf(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(message.subarray(-tagBytes));
  const padded = Buffer.concat([decipher.update(message.subarray(head, -tagBytes)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The message has no delimiter of a last record.');
  return padded.subarray(0, end).toString();
}

function openKey(privateKey: string) {
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(privateKey, 'base64url');
  return ecdh;
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));
