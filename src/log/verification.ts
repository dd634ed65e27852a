import { breathe, firstSlice } from '../breathe.ts';
import type { Context } from '../context.ts';
import { selectRole } from '../permissions/visibility.ts';
import { genesis, type Head, verifyEntry } from './chain.ts';
import { readStored } from './pages.ts';
import { requireReader } from './sight.ts';

/** Bounds of what one call verifies: pages, and characters beyond which no further page is read. */
const maxPages = 10;
const maxCharacters = 5_500_000;

/**
 * Walks the chain from `after`, or from its first entry; `next` is the `after` of the call that continues. `brokenAt` is
 * the first position that does not fit: an entry was edited, removed, inserted or moved there. The chain does not reveal
 * that its newest entries were cut off, or that somebody with write access to the whole database rebuilt it: to detect
 * that, keep `entries` and `head` elsewhere and compare. @throws resource.not-found, action.forbidden
 */
export async function verifyActivities(
  { db, actor }: Context,
  investigation: string,
  after: Head | undefined,
) {
  const [me] = await selectRole(db, investigation, actor);
  requireReader(me);
  await firstSlice();
  let head = after ?? genesis;
  let characters = 0;
  for (let page = 1; ; page++) {
    const { rows, more } = await readStored(db, investigation, head === genesis ? undefined : head.position);
    for (const row of rows) {
      const next = await verifyEntry(head, row);
      if (!next)
        return { verified: { valid: false as const, entries: head.position, brokenAt: head.position + 1 } };
      head = next;
    }
    const verified = { valid: true as const, entries: head.position, head: head.hash };
    if (!more) return { verified };
    characters += rows.reduce((sum, row) => sum + row.characters, 0);
    if (page === maxPages || characters > maxCharacters) return { verified, next: head };
    await breathe();
  }
}
