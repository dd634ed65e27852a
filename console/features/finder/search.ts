import type { Action } from '../../actions.ts';

/* Finding by words, in any order, without regard to accents and capitals. */

export interface Findable {
  /** Unique among all. */
  id: string;
  label: string;
  href: string;
  /** Taken by the screen at `href`. */
  action?: Action;
}

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The best of those that contain each word of the text: words at the beginning first, then within. */
export function findIn<T extends Findable>(all: readonly T[], text: string, most: number): T[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const ranked: { entry: T; rank: number }[] = [];
  for (const entry of all) {
    const label = plain(entry.label);
    let rank = 0;
    for (const word of words) {
      const at = label.indexOf(word);
      if (at < 0) {
        rank = -1;
        break;
      }
      rank += at === 0 ? 0 : /[\p{L}\p{N}]/u.test(label[at - 1] ?? '') ? 2 : 1;
    }
    if (rank >= 0) ranked.push({ entry, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}
