/**
 * The place in a list of people at which a search ended with somebody whom the reader does not see: of their identifier only
 * the first 24 digits, and zeros, so that the next search looks at that person again. Never before `last`, the last person whom
 * the reader is shown.
 */
export function hiddenPlace(id: string, last = ''): string {
  const place = `${id.slice(0, 24)}${'0'.repeat(8)}`;
  return place < last ? last : place;
}
