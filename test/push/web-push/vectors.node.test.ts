import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { base64url, compactVerify, importJWK } from 'jose';
import { expect, test } from 'vitest';
import { nodeEncrypt } from '../../../src/platform/server/web-push-encryption.ts';
import { encrypt, maxTextBytes } from '../../../src/push/web-push/encryption.ts';
import { createVapid } from '../../../src/push/web-push/vapid.ts';
import { decrypt, newKeys, publicKeys } from '../../../tools/fakes/web-push/encryption.ts';

const bytes = (text: string) => new Uint8Array(base64url.decode(text));

/** RFC 8291, 5 and Appendix A. */
const vector = {
  text: 'When I grow up, I want to be a watermelon',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  senderPublic: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  browser: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  browserPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const browser = { p256dh: bytes(vector.browserPublic), auth: bytes(vector.auth) };

async function senderKeys(): Promise<CryptoKeyPair> {
  const [x, y] = [bytes(vector.senderPublic).slice(1, 33), bytes(vector.senderPublic).slice(33)].map((part) =>
    base64url.encode(part),
  ) as [string, string];
  const curve = { name: 'ECDH', namedCurve: 'P-256' };
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  return {
    publicKey: await crypto.subtle.importKey('jwk', jwk, curve, true, []),
    privateKey: await crypto.subtle.importKey('jwk', { ...jwk, d: vector.sender }, curve, false, [
      'deriveBits',
    ]),
  };
}

test('a push is encrypted as in the example of RFC 8291, with either cryptography', async () => {
  const salt = bytes(vector.salt);
  const sealed = await encrypt(vector.text, browser, { keys: await senderKeys(), salt });
  expect(base64url.encode(sealed)).toBe(vector.message);
  const sealedByNode = await nodeEncrypt(vector.text, browser, { scalar: bytes(vector.sender), salt });
  expect(base64url.encode(sealedByNode)).toBe(vector.message);
});

test.each(['node', 'deno'])('a push that a server encrypts on %s is read by its browser', async (runtime) => {
  const bin = join(import.meta.dirname, '../../../node_modules/.bin', runtime);
  const main = join(import.meta.dirname, 'support/sealed.ts');
  const keys = newKeys();
  const text = 'Guten Morgen, Zoë! 😴';
  const args = [...(runtime === 'deno' ? ['run', '-A'] : []), main];
  const { stdout } = await promisify(execFile)(bin, [...args, JSON.stringify({ text, ...publicKeys(keys) })]);
  expect(decrypt(Buffer.from(stdout, 'base64url'), keys)).toBe(text);
});

test('the local push service reads that example', () => {
  const keys = { privateKey: vector.browser, auth: vector.auth };
  expect(decrypt(Buffer.from(vector.message, 'base64url'), keys)).toBe(vector.text);
});

const cryptographies = [
  ['WebCrypto', encrypt],
  ["Node's", nodeEncrypt],
] as const;

test.each(cryptographies)(
  'with %s each message has a key and a salt of its own, and the longest has 4,096 bytes',
  async (_, seal) => {
    const [one, other] = await Promise.all(['x', 'x'].map((text) => seal(text, browser)));
    expect(one?.slice(0, 16)).not.toEqual(other?.slice(0, 16));
    expect(one?.slice(21, 86)).not.toEqual(other?.slice(21, 86));
    expect((await seal('x'.repeat(maxTextBytes), browser)).length).toBe(4096);
  },
);

test.each(cryptographies)(
  'with %s nothing is encrypted for a key that is no point of the curve',
  async (_, seal) => {
    const off = browser.p256dh.with(64, 0);
    await expect(seal('x', { ...browser, p256dh: off })).rejects.toThrow();
  },
);

const noon = Date.UTC(2027, 2, 1, 12);
const hour = 3600_000;

/** The private key of RFC 8291's example serves to sign too: one scalar has one public key. */
const newVapid = () => createVapid({ privateKey: vector.sender, subject: 'mailto:operator@example.org' });

test('a token names audience, subject and an expiry within 24 hours, signed by the key that goes with it', async () => {
  const vapid = newVapid();
  expect(await vapid.publicKey()).toBe(vector.senderPublic);
  const [, token = '', key] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(await vapid.authorization('https://push.example.org', noon)) ?? [];
  expect(key).toBe(vector.senderPublic);
  const { x, y } = await crypto.subtle.exportKey('jwk', (await senderKeys()).publicKey);
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const { payload, protectedHeader } = await compactVerify(token, await importJWK(jwk as object, 'ES256'));
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT' });
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
    aud: 'https://push.example.org',
    exp: (noon + 12 * hour) / 1000,
    sub: 'mailto:operator@example.org',
  });
});

test('a token serves every push to its push service until an hour before it expires', async () => {
  const vapid = newVapid();
  const at = (ms: number, audience = 'https://a.example') => vapid.authorization(audience, ms);
  const first = await at(noon);
  expect(await at(noon + 11 * hour)).toBe(first);
  expect(await at(noon, 'https://b.example')).not.toBe(first);
  expect(await at(noon + 11 * hour + 1)).not.toBe(first);
});
