const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * The unescaped text of the first complete element of that name, or undefined. SNS's answers are flat, without CDATA
 * or comments, so this much of a parser suffices (Amazon SNS API, "Actions").
 */
export function elementText(xml: string, name: string): string | undefined {
  const match = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml);
  return match?.[1] === undefined ? undefined : unescapeXml(match[1]);
}

/** The `<entry><key/><value/></entry>` pairs of an answer. */
export function entries(xml: string): Map<string, string> {
  const pairs = xml.matchAll(/<entry>\s*<key>([^<]*)<\/key>\s*<value>([^<]*)<\/value>\s*<\/entry>/g);
  return new Map(Array.from(pairs, ([, key = '', value = '']) => [unescapeXml(key), unescapeXml(value)]));
}

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
