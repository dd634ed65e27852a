import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { type Encrypt, labels, lastRecord, sizes } from '../../push/web-push/encryption.ts';

/** The random part of a message: the private scalar of its key pair, and a salt. */
export interface NodeChance {
  scalar: Uint8Array;
  salt: Uint8Array;
}

/** As `encrypt`, with Node's cryptography: what WebCrypto hands to other threads is done at once. */
export const nodeEncrypt = (async (text, { p256dh, auth }, chance?: NodeChance) => {
  const ecdh = createECDH('prime256v1');
  if (chance) ecdh.setPrivateKey(chance.scalar);
  else ecdh.generateKeys();
  const ownKey = ecdh.getPublicKey();
  const salt = chance?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from(labels.input), p256dh, ownKey]);
  const input = derive(ecdh.computeSecret(p256dh), auth, info, 32);
  const key = derive(input, salt, labels.key, 16);
  const cipher = createCipheriv('aes-128-gcm', key, derive(input, salt, labels.nonce, 12));
  const sealed = [
    cipher.update(text, 'utf8'),
    cipher.update(lastRecord),
    cipher.final(),
    cipher.getAuthTag(),
  ];
  return Buffer.concat([salt, sizes, ownKey, ...sealed]);
}) satisfies Encrypt;

const derive = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number) =>
  new Uint8Array(hkdfSync('sha256', secret, salt, info, length));
