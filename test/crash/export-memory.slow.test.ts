import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openLibsql } from '../../src/platform/server/libsql.ts';
import { newWorld } from '../conformance/support/worlds.ts';
import { created, requestOf } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { newTarget, type Target } from './target.ts';

const megabyte = 1_000_000;

/** Entries of about 1,200 characters, past the front door: 100,000 of them are 130 MB when they are exported. */
async function seedEntries({ database }: Target, { id, owner }: Study, count: number) {
  const { client, close } = await openLibsql(database);
  await client.execute({
    sql: `with recursive n(position) as (
        select coalesce(max(position), 0) + 1 from activity where investigation_id = ?1
        union all select position + 1 from n limit ?3)
      insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, details, hash, formula)
      select ?1, position, lower(hex(randomblob(16))), 1800000000000 + position, ?2, 'study.changed', '[]', '[]',
        json_object('after', json_object('name', hex(randomblob(400)))), lower(hex(randomblob(32))), 1 from n`,
    args: [id, owner.id, count],
  });
  close();
}

/** Bytes that the process holds in memory. */
const residentBytes = (pid: number) =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Reads a whole export, and how much memory the service had at most meanwhile. */
async function exported({ url }: Target, { id, owner }: Study, pid: number) {
  const { headers, ...init } = requestOf({ token: owner.token });
  const answer = await fetch(`${url}/investigation/${id}/activity`, {
    ...init,
    headers: { ...(headers as Record<string, string>), accept: 'application/x-ndjson' },
  });
  let [bytes, entries, most] = [0, 0, 0];
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    entries += chunk.reduce((lines, byte) => lines + Number(byte === 10), 0);
    most = Math.max(most, residentBytes(pid));
  }
  return { bytes, entries, most };
}

test.runIf(process.platform === 'linux')(
  'an export of 100,000 entries takes no more memory than one of 10,000',
  async () => {
    const target = await newTarget('node');
    const running = target.spawn(Date.now());
    try {
      await target.ready(running);
      const short = await newStudy(newWorld(target));
      const { identifier } = created(await short.owner.post('/investigation', { name: 'A long study' }));
      const long = { ...short, id: identifier };
      await seedEntries(target, short, 10_000);
      await seedEntries(target, long, 100_000);
      const before = residentBytes(running.pid);
      // The first export fills the cache of the database, which has its own bound.
      await exported(target, short, running.pid);
      const first = await exported(target, long, running.pid);
      const few = await exported(target, short, running.pid);
      const many = await exported(target, long, running.pid);
      console.log(JSON.stringify({ before, first, few, many }));
      expect(few.entries).toBeGreaterThanOrEqual(10_000);
      expect(many.entries).toBeGreaterThanOrEqual(100_000);
      expect(many.bytes).toBeGreaterThan(100 * megabyte);
      // Garbage that is not collected yet is some ten megabytes; the export itself is more than a hundred.
      expect(many.most - few.most).toBeLessThan(50 * megabyte);
    } finally {
      await running.end('SIGKILL');
      await target.dispose();
    }
  },
);
