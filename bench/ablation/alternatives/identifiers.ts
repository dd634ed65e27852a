export * from '../../../src/identifiers.ts';

export function base64Identifier(identifier: string): string {
  let bytes = '';
  for (let n = 0; n < identifier.length; n += 2)
    bytes += String.fromCharCode(Number.parseInt(identifier.slice(n, n + 2), 16));
  return btoa(bytes);
}
