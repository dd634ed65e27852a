import { createVapid } from '../../src/push/web-push/vapid.ts';

/* `npm run -s vapid-key`: a new key that signs web pushes, for `VAPID_PRIVATE_KEY`, and its public half. */

const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
const { d: privateKey = '' } = await crypto.subtle.exportKey('jwk', pair.privateKey);
const publicKey = await createVapid({ privateKey, subject: '' }).publicKey();
console.log(`VAPID_PRIVATE_KEY=${privateKey}\n# GET /push/key gives the public half: ${publicKey}`);
