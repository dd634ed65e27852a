import * as z from 'zod';
import { BrokenChain, type Entry, sha256 } from './chain.ts';

const identifiers = z.array(z.object({ identifier: z.string() }));
const pageSchema = z.object({ cases: identifiers, responses: identifiers, next: z.string().optional() });

const kinds = ['cases', 'responses'] as const;
type Kind = (typeof kinds)[number];

/** The items that an entry changed: identifiers by kind, in the order of the service's list. */
export type ItemList = Record<Kind, string[]>;

/** Reads the pages of a list, each on a line of its own. @throws BrokenChain for anything else */
export function readItems(text: string): ItemList {
  const pages = text.split('\n').filter((line) => line.trim() !== '');
  const read = pages.map((line, n) => {
    try {
      return pageSchema.parse(JSON.parse(line));
    } catch {
      throw new BrokenChain(
        `line ${n + 1} of the items is no page of them: expected the JSON that the service answered`,
      );
    }
  });
  if (read.at(-1)?.next !== undefined) throw new BrokenChain('the last page of the items is missing');
  const all = (kind: Kind) => read.flatMap((page) => page[kind].map(({ identifier }) => identifier));
  return { cases: all('cases'), responses: all('responses') };
}

const digestSchema = z.object({
  items: z.object({ cases: z.number(), responses: z.number(), sha256: z.string() }),
});

/** Whether the entry has a digest of its items in place of their identifiers. */
export const hasDigest = ({ details }: Entry): boolean => digestSchema.safeParse(details).success;

/**
 * Compares a list with its entry: with the counts and the digest in its details, or with the items that it names itself.
 * @throws BrokenChain
 */
export function checkItems(entry: Entry, list: ItemList): void {
  const fail = (what: string) => {
    throw new BrokenChain(`position ${entry.position}: ${what}`);
  };
  const parsed = digestSchema.safeParse(entry.details);
  for (const kind of kinds) {
    const named = z.array(z.string()).catch([]).parse(entry[kind]).toSorted();
    const expected = parsed.success ? parsed.data.items[kind] : named.length;
    if (list[kind].length !== expected)
      fail(`the list of items has ${list[kind].length} ${kind}, and the entry changed ${expected}`);
    const other = parsed.success ? -1 : named.findIndex((id, n) => id !== list[kind][n]);
    if (other >= 0) fail(`number ${other + 1} of the ${kind} in the list is not what the entry changed`);
  }
  if (!parsed.success) return;
  const digest = sha256(kinds.flatMap((kind) => list[kind].map((id) => `${id}\n`)).join(''));
  if (digest !== parsed.data.items.sha256)
    fail('the list of items does not fit the digest in the entry: an item was edited, swapped or exchanged');
}
