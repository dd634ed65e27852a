import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import * as z from 'zod';
import { BrokenChain } from './chain.ts';

const headSchema = z.object({
  investigation: z.string(),
  position: z.number(),
  hash: z.string(),
  at: z.string(),
  jws: z.string(),
});
export type SignedHead = z.infer<typeof headSchema>;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kid: z.string().optional() })) });
export type KeySet = z.infer<typeof keySetSchema>;

/** @throws BrokenChain when the JSON is something else */
export const readHead = (text: string): SignedHead => read(headSchema, text, 'the head');
export const readKeySet = (text: string): KeySet => read(keySetSchema, text, 'the key set');

function read<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new BrokenChain(`${what} is not one: expected the JSON that the service answered`);
  }
}

/** Checks that one of the keys signed the head (RFC 7515, EdDSA by RFC 8037). @throws BrokenChain */
export function checkSignature({ jws, ...said }: SignedHead, { keys }: KeySet): void {
  const [header = '', payload = '', signature = '', ...rest] = jws.split('.');
  const { alg, kid } = decode(header);
  if (alg !== 'EdDSA' || rest.length > 0) throw new BrokenChain('the head is not signed with EdDSA');
  const key = keys.find((one) => one.kid === kid);
  if (!key) throw new BrokenChain(`the head is signed with a key that is not in the set: ${kid}`);
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify(null, signed, publicKey, Buffer.from(signature, 'base64url')))
    throw new BrokenChain('the signature of the head is not valid');
  const meant = decode(payload);
  for (const [field, value] of Object.entries(said))
    if (meant[field] !== value)
      throw new BrokenChain(`the head says ${field} ${value}, and its signature ${meant[field]}`);
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw new BrokenChain('the head has no readable JWS');
  }
}
