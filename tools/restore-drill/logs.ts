import type { DatabaseSync } from 'node:sqlite';
import { createAuditKey } from '../../src/http/audit-key.ts';
import { parseEntry, shownEntry } from '../../src/log/chain.ts';
import { readStored } from '../../src/log/pages.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { BrokenChain, beginning, type Followed, follow } from '../verify/chain.ts';
import { checkSignature, type KeySet, type SignedHead } from '../verify/head.ts';
import type { DrillOptions, Found } from './result.ts';

type Head = Omit<SignedHead, 'jws'> & { jws?: string };

/** The heads of all logs of the original, and the key that signed them, if the service has one. */
interface Heads {
  heads: Head[];
  keys: KeySet | undefined;
}

/** Signs the heads as the service does. */
export async function readHeads(
  original: DatabaseSync,
  signingKey: string | undefined,
  at: number,
): Promise<Heads> {
  const rows = original
    .prepare(
      `select i.id, coalesce(max(a.position), 0) as position, coalesce(a.hash, ?) as hash
        from investigation i left join activity a on a.investigation_id = i.id group by i.id order by i.id`,
    )
    .all('0'.repeat(64)) as { id: string; position: number; hash: string }[];
  const key = createAuditKey(signingKey);
  const heads: Head[] = [];
  for (const { id, position, hash } of rows) {
    const head = { investigation: `investigation/${id}`, position, hash, at: new Date(at).toISOString() };
    heads.push(key ? { ...head, jws: await key.sign(head) } : head);
  }
  return { heads, keys: key && { keys: await key.publicKeys() } };
}

/**
 * Follows the chain of every log of the copy by the formula of the API document, as `npm run verify` does, to the head of
 * the original; and finds the kept heads in them.
 */
export async function checkLogs(
  restored: string,
  { heads, keys }: Heads,
  kept: Pick<DrillOptions, 'heads' | 'keys'>,
): Promise<Found> {
  const faults: string[] = [];
  const attempt = (what: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      faults.push(`${what}: ${error.message}`);
    }
  };
  for (const head of kept.heads) {
    if (kept.keys)
      attempt(`a kept head of ${head.investigation}`, () => checkSignature(head, kept.keys as KeySet));
    if (!heads.some(({ investigation }) => investigation === head.investigation))
      faults.push(`a kept head is of ${head.investigation}, which is not in the original`);
  }
  const { db, close } = await openSqlite(restored);
  let entries = 0;
  try {
    for (const head of heads) {
      const asked = [head, ...kept.heads.filter((one) => one.investigation === head.investigation)];
      const seen = new Map<number, string>([[0, beginning.hash]]);
      let followed: Followed = beginning;
      const positions = new Set(asked.map(({ position }) => position));
      let isWhole = true;
      for (let after: number | undefined, more = true; more && isWhole; after = followed.position) {
        const page = await readStored(db, head.investigation.replace('investigation/', ''), after);
        more = page.more;
        for (const row of page.rows) {
          const entry = parseEntry(row);
          const line = entry ? JSON.stringify({ ...shownEntry(entry), hash: row.hash }) : '';
          const before = faults.length;
          attempt(head.investigation, () => {
            followed = follow(followed, line);
          });
          isWhole = faults.length === before;
          if (!isWhole) break;
          if (positions.has(followed.position)) seen.set(followed.position, followed.hash);
          entries += 1;
        }
      }
      if (!isWhole) continue;
      if (followed.position > head.position)
        faults.push(
          `${head.investigation}: the copy has entries after the head at position ${head.position}`,
        );
      for (const { position, hash } of asked)
        if (seen.get(position) !== hash)
          faults.push(`${head.investigation}: the copy does not have the head at position ${position}`);
      if (keys && head.jws !== undefined)
        attempt(head.investigation, () => checkSignature(head as SignedHead, keys));
    }
  } finally {
    close();
  }
  const signed = keys ? 'signed heads' : 'heads, which are not signed without AUDIT_SIGNING_KEY';
  const text = `${entries.toLocaleString('en')} entries of ${heads.length} studies, whose chains hold and end at their ${signed}`;
  const more = kept.heads.length > 0 ? `, and ${kept.heads.length} kept heads` : '';
  const numbers = {
    studies: heads.length,
    entries,
    signed: keys ? heads.length : 0,
    kept: kept.heads.length,
  };
  return { text: text + more, numbers, faults };
}
