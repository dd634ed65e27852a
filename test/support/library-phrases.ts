/** What zod and hono say themselves: none of it is for clients. */
export const libraryPhrase =
  /^Invalid |Invalid (?:input|key|element|option|value|string)|Unrecognized key|, received |Too (?:small|big): expected \w+ to (?:be|have)|Malformed JSON in|undefined|\bNaN\b/;
