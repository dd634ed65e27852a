export * from '../../../src/identifiers.ts';

export const base64Identifier = (identifier: string) =>
  btoa(identifier.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
