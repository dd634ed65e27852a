import { getRandomValues } from 'expo-crypto';

/*
 * The client makes identifiers with `crypto.getRandomValues`, which Hermes lacks. It also needs `AbortSignal.timeout` and
 * `AbortSignal.any`: Expo has them from 57 on; in an app without Expo add them here.
 */
globalThis.crypto ??= { getRandomValues } as unknown as Crypto;
