/** RFC 8785, for what a log holds: the keys of objects in order of their UTF-16, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join()}}`;
}

/** Lower-case hex of the SHA-256 of a text in UTF-8. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The hash of an entry that follows one with the hash `previous`, as the API document gives the formula. */
export const hashOf = (previous: string, entry: object) => sha256(`${previous}\n${canonicalJson(entry)}`);
