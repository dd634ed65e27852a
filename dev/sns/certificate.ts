/** Signs as SNS does: version 1 is RSA with SHA-1, version 2 with SHA-256; the result is base64. */
export interface Signer {
  /** A self-signed X.509 certificate of the key. */
  pem: string;
  sign(text: string, version: '1' | '2'): Promise<string>;
}

const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const SHA256_WITH_RSA = sequence(bytes(0x06, hex('2a864886f70d01010b')), bytes(0x05));
const COMMON_NAME = hex('550403');

/** A new key with a certificate of its own. Web Cryptography only, so that tests in workerd can make one too. */
export async function createSigner(commonName = 'sns.local'): Promise<Signer> {
  const usages: ('sign' | 'verify')[] = ['sign', 'verify'];
  const pair = (await crypto.subtle.generateKey({ ...RSA, hash: 'SHA-256' }, true, usages)) as CryptoKeyPair;
  const pkcs8 = (await crypto.subtle.exportKey('pkcs8', pair.privateKey)) as ArrayBuffer;
  const sha1 = { name: RSA.name, hash: 'SHA-1' };
  const keys = {
    '1': await crypto.subtle.importKey('pkcs8', pkcs8, sha1, false, ['sign']),
    '2': pair.privateKey,
  };
  const signBytes = async (content: Uint8Array<ArrayBuffer>, version: '1' | '2') =>
    new Uint8Array(await crypto.subtle.sign(RSA.name, keys[version], content));

  const spki = new Uint8Array((await crypto.subtle.exportKey('spki', pair.publicKey)) as ArrayBuffer);
  const content = toBeSigned(commonName, spki);
  const signature = bytes(0x03, new Uint8Array([0]), await signBytes(content, '2'));
  const der = base64(sequence(content, SHA256_WITH_RSA, signature));
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
    sign: async (text, version) =>
      base64(await signBytes(new Uint8Array(new TextEncoder().encode(text)), version)),
  };
}

/** RFC 5280, section 4.1: version, serial number, algorithm, issuer, validity, subject, public key. */
function toBeSigned(commonName: string, spki: Uint8Array): Uint8Array<ArrayBuffer> {
  const name = sequence(bytes(0x31, sequence(bytes(0x06, COMMON_NAME), bytes(0x0c, ascii(commonName)))));
  const validity = sequence(bytes(0x17, ascii('200101000000Z')), bytes(0x17, ascii('491231235959Z')));
  const version3 = bytes(0xa0, bytes(0x02, new Uint8Array([2])));
  const serial = bytes(0x02, new Uint8Array([1]));
  return sequence(version3, serial, SHA256_WITH_RSA, name, validity, name, spki);
}

function sequence(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return bytes(0x30, ...parts);
}

/** One value of DER: tag, length, content (ITU-T X.690). */
function bytes(tag: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = parts.flatMap((part) => [...part]);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return new Uint8Array([tag, ...size, ...content]);
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function base64(content: Uint8Array): string {
  return btoa(String.fromCharCode(...content));
}
