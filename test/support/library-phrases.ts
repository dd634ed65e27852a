/** Messages of zod and hono themselves: none of them is for clients. */
export const libraryPhrase =
  /^Invalid |Invalid (?:input|key|element|option|value|string)|Unrecognized key|, received |Too (?:small|big): expected \w+ to (?:be|have)|Malformed JSON in|undefined|\bNaN\b/;
