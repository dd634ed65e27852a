/** Signs as SNS does: version 1 is RSA with SHA-1, version 2 with SHA-256. The signature is base64. */
export interface Signer {
  /** A self-signed X.509 certificate of the key. */
  pem: string;
  sign(text: string, version: '1' | '2'): Promise<string>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const rsa = 'RSASSA-PKCS1-v1_5';

/** A new key with a certificate of its own. Web Cryptography only, because tests in workerd make one too. */
export async function createSigner(commonName = 'sns.local'): Promise<Signer> {
  const algorithm = {
    name: rsa,
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const exported = async (format: 'pkcs8' | 'spki', key: CryptoKey) =>
    (await crypto.subtle.exportKey(format, key)) as ArrayBuffer;
  const pkcs8 = await exported('pkcs8', pair.privateKey);
  const sha1 = await crypto.subtle.importKey('pkcs8', pkcs8, { name: rsa, hash: 'SHA-1' }, false, ['sign']);
  const signBytes = async (content: Bytes, version: '1' | '2') =>
    new Uint8Array(await crypto.subtle.sign(rsa, version === '1' ? sha1 : pair.privateKey, content));

  const content = toBeSigned(commonName, new Uint8Array(await exported('spki', pair.publicKey)));
  const signature = der(0x03, Uint8Array.of(0), await signBytes(content, '2'));
  const certificate = base64(der(0x30, content, sha256WithRsa, signature)).match(/.{1,64}/g) ?? [];
  return {
    pem: ['-----BEGIN CERTIFICATE-----', ...certificate, '-----END CERTIFICATE-----', ''].join('\n'),
    sign: async (text, version) => base64(await signBytes(utf8(text), version)),
  };
}

/** RFC 5280, section 4.1: version, serial number, algorithm, issuer, validity, subject, public key. */
function toBeSigned(commonName: string, publicKey: Bytes): Bytes {
  const name = der(0x30, der(0x31, der(0x30, der(0x06, hex('550403')), der(0x0c, utf8(commonName)))));
  const validity = der(0x30, der(0x17, utf8('200101000000Z')), der(0x17, utf8('491231235959Z')));
  const version3 = der(0xa0, hex('020102'));
  return der(0x30, version3, hex('020101'), sha256WithRsa, name, validity, name, publicKey);
}

/** One value of DER (ITU-T X.690): tag, length, content. */
function der(tag: number, ...parts: Bytes[]): Bytes {
  const content = parts.flatMap((part) => [...part]);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Uint8Array.of(tag, ...size, ...content);
}

const hex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const utf8 = (text: string): Bytes => Uint8Array.from(new TextEncoder().encode(text));
const base64 = (content: Bytes) => btoa(String.fromCharCode(...content));

const sha256WithRsa = der(0x30, hex('06092a864886f70d01010b'), hex('0500'));
