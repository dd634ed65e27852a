/**
 * The lines of a stream of bytes in UTF-8, as NDJSON has them: a line ends at a line feed and nowhere else. `node:readline`
 * ends one at U+2028 and U+2029 as well, which JSON leaves as they are within a text. The mark of UTF-8 at the beginning and
 * empty lines are left out; a carriage return at the end is white space of JSON.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!isEmpty(line)) yield line;
  }
  rest += decoder.decode();
  if (!isEmpty(rest)) yield rest;
}

const isEmpty = (line: string) => line === '' || line === '\r';

/** The text of a file in UTF-8, without its mark. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
