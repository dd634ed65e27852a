import { env } from 'cloudflare:workers';
import { chainEntry, headOf, type NewActivity, selectHead } from '../../../src/log/activities.ts';
import { openD1 } from '../../../src/platform/cloudflare/d1.ts';
import type { Person } from '../people.ts';
import type { Study } from '../studies.ts';

type Row = Awaited<ReturnType<typeof chainEntry>>;

/** Writes entries past the front door, chained as the service does it. */
export async function seedEntries(
  study: Study,
  count: number,
  entryOf: (n: number) => Partial<NewActivity> = () => ({}),
) {
  const rows: Row[] = [];
  let head = headOf(await selectHead(openD1(env.DB), study.id));
  for (let n = 0; n < count; n++) {
    const entry = { investigation: study.id, actor: study.owner.id, action: 'study.changed' as const };
    const limits = { activities: Infinity };
    const row = await chainEntry(head, { ...entry, ...entryOf(n) }, { now: Date.now() + n, limits });
    rows.push(row);
    head = row;
  }
  await insertEntries(rows);
  return rows;
}

/** Rows of the table `activity`, as many at once as D1 takes. */
export async function insertEntries(rows: Row[]) {
  const insert = env.DB.prepare(`insert into activity
      (investigation_id, position, id, at, actor_id, action, cases, responses, reason, details, signature, hash)
    select value ->> 'investigationId', value ->> 'position', value ->> 'id', value ->> 'at', value ->> 'actorId',
      value ->> 'action', value -> 'cases', value -> 'responses', value ->> 'reason',
      nullif(value -> 'details', 'null'), nullif(value -> 'signature', 'null'), value ->> 'hash'
    from json_each(?)`);
  let part: string[] = [];
  let size = 0;
  const flush = async () => {
    await insert.bind(`[${part.join()}]`).run();
    [part, size] = [[], 0];
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > 500_000) await flush();
    part.push(text);
    size += text.length;
  }
  if (part.length > 0) await flush();
}

/** The whole log as it is answered, oldest first. */
export async function readLog({ id }: Pick<Study, 'id'>, by: Person, filter = '') {
  const path = `/investigation/${id}/activity?limit=1000${filter}`;
  const entries = [];
  for (let next = ''; ; ) {
    const { body } = await by.get(`${path}${next && `&cursor=${next}`}`);
    entries.push(...body.activities);
    if (body.next === undefined) return entries.reverse();
    next = body.next;
  }
}
