/** Far deeper than any schema. */
const maxDepth = 32;

/** Twice the longest list that a schema takes, since a repeated identifier counts once. */
const maxMembers = 2_000;

/** More than the largest request that any schema takes, a survey of 1,000 items and 2,000 options. */
const maxValues = 20_000;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * The bound that a JSON text exceeds: lists and objects in each other, members of one of them, values of the whole. One
 * pass over its bytes, before a parser or a schema works on it; a text that is not JSON is left to the parser.
 */
export function exceededBound(bytes: Uint8Array): string | undefined {
  const members: number[] = [];
  let values = 0;
  let quoted = false;
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n] as number;
    if (quoted) {
      if (byte === backslash) n += 1;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (opening.has(byte)) {
      values += 1;
      if (members.push(1) > maxDepth) return `Nested too deeply: expected at most ${maxDepth} levels.`;
    } else if (closing.has(byte)) members.pop();
    else if (byte === comma) {
      values += 1;
      const last = members.length - 1;
      const count = (members[last] ?? 0) + 1;
      members[last] = count;
      if (count > maxMembers)
        return `Too many values: expected at most ${maxMembers} in a list or an object.`;
    }
    if (values > maxValues) return `Too many values: expected at most ${maxValues} in a body.`;
  }
  return undefined;
}
