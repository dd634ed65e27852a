import { serverWays } from '../../../../src/platform/server/server-ways.ts';

/* Encrypts as a server of this runtime does. Argument: JSON with a text and a browser's public keys, in base64url. */
const [argument = ''] = process.argv.slice(2);
const { text, p256dh, auth } = JSON.parse(argument);
const bytes = (value: string) => new Uint8Array(Buffer.from(value, 'base64url'));
const sealed = await serverWays.encrypt(text, { p256dh: bytes(p256dh), auth: bytes(auth) });
console.log(Buffer.from(sealed).toString('base64url'));
