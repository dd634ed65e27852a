import { getRandomValues } from 'expo-crypto';

/* The client makes identifiers with `crypto.getRandomValues`, which Hermes lacks. */
globalThis.crypto ??= { getRandomValues } as unknown as Crypto;
