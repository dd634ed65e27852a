const hues = 360;

/** Initials on a colour of the user's own, as SVG of 96 × 96. */
export function avatarSvg({ id, name }: { id: string; name: string }): string {
  const hue = Number.parseInt(id.slice(-4), 16) % hues;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img"><rect width="96" height="96" rx="48" fill="hsl(${hue} 45% 38%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" text-anchor="middle" dominant-baseline="middle">${escapeXml(initials(name))}</text></svg>`;
}

/** The first letters of the first and last word, as people see letters. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    firstGrapheme(word ?? ''),
  );
  return letters.join('').toLocaleUpperCase('en');
}

function firstGrapheme(word: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word);
  return first?.segment ?? '';
}

const escapeXml = (text: string) => text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
