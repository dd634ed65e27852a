const hues = 360;

/** Initials on a colour derived from the user's identifier, as an SVG of 96 × 96. */
export function avatarSvg({ id, name }: { id: string; name: string }): string {
  const hue = Number.parseInt(id.slice(-4), 16) % hues;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img"><rect width="96" height="96" rx="48" fill="hsl(${hue} 45% 38%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" text-anchor="middle" dominant-baseline="middle">${escapeXml(initials(name))}</text></svg>`;
}

/** The initials of the first and the last word that have one. */
function initials(name: string): string {
  const letters = name.split(/\s+/u).flatMap((word) => initial(word) ?? []);
  return [letters[0] ?? '?', ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase('en');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first grapheme that is a letter, a number or a symbol such as an emoji. */
function initial(word: string): string | undefined {
  const graphemes = Array.from(segmenter.segment(word), ({ segment }) => segment);
  return graphemes.find((grapheme) => /^[\p{L}\p{N}\p{S}]/u.test(grapheme));
}

const escapeXml = (text: string) => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
