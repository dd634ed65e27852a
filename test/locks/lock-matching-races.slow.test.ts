import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { lock, newCase } from '../support/studies.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* The database notes each write that comes behind a lock, and each second lock without an unlock in between. */
beforeAll(async () => {
  const note = (what: string) => `begin insert into violation values ('${what} ' || old.id); end`;
  await env.DB.batch(
    [
      'create table violation (what text)',
      `create trigger edited after update of items, revision_id on response when old.locked_at is not null ${note('edited')}`,
      `create trigger relabelled after update of label, revision_id on study_case when old.locked_at is not null ${note('relabelled')}`,
      ...['response', 'study_case'].map(
        (table) => `create trigger twice_${table} after update of locked_at on ${table}
          when (old.locked_at is null) = (new.locked_at is null) ${note('locked twice')}`,
      ),
    ].map((statement) => env.DB.prepare(statement)),
  );
});

afterEach(async () => {
  expect((await env.DB.prepare('delete from violation returning what').all()).results).toEqual([]);
});

const rounds = 30;

test('a lock by filter, locks by list and writers at once: each item is locked once, by one entry', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const of = await newCase(study, owner);
  const path = `/investigation/${study.id}`;
  const statuses = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const cases = await seedCases(study, 20);
    const responses = await seedResponses(study, 20, { of });
    const before = (await readLog(study, owner)).length;
    const matching = (filter: object) =>
      owner.post(`${path}/lock-matching`, { status: 'locked', filter, reason: 'by filter' });
    const answers = await Promise.all([
      ...responses.slice(0, 10).map((id, n) => responder.patch(`/response/${id}`, { items: { q2: `${n}` } })),
      ...(round % 2 ? [matching({})] : []),
      ...cases.slice(0, 5).map((id) => lock(editor, study, { cases: [id] })),
      ...(round % 2 ? [] : [matching({})]),
      matching({ kinds: ['cases'] }),
      // Half of the items were created earlier: the edits here make the filter find more of them.
      matching({ since: 1_800_000_010 }),
      lock(editor, study, { cases: cases.slice(3, 10), responses: responses.slice(5, 15) }),
      ...cases.slice(0, 10).map((id, n) => editor.patch(`/case/${id}`, { label: `Edit ${n}` })),
      ...responses.slice(5, 15).map((id, n) => responder.patch(`/response/${id}`, { items: { q2: `${n}` } })),
      editor.post(`${path}/case`, { label: 'New' }),
      editor.post(`${path}/case`, { label: 'New' }),
    ]);
    for (const { status, text } of answers) {
      statuses.add(status);
      expect([200, 201, 204, 423], text).toContain(status);
    }
    const entries = (await readLog(study, owner)).slice(before);
    const told: string[] = [];
    for (const entry of entries) {
      expect(entry.action).toBe('items.locked');
      told.push(...entry.cases, ...entry.responses);
      if (!entry.details) continue;
      const { body } = await owner.get(`${path}/activity/${entry.identifier}/items?limit=1000`);
      const listed = [...body.cases, ...body.responses].map(({ identifier }) => identifier);
      expect(entry.details.items).toMatchObject({
        cases: body.cases.length,
        responses: body.responses.length,
      });
      told.push(...listed);
    }
    // Of what was there before, everything is locked and told once.
    for (const id of [...cases, ...responses]) expect(told.filter((one) => one === id)).toHaveLength(1);
    expect(new Set(told).size).toBe(told.length);
    const { results } = await env.DB.prepare(
      `select id from study_case where investigation_id = ?1 and locked_at is null
        union all select id from response where investigation_id = ?1 and locked_at is null`,
    )
      .bind(study.id)
      .all<{ id: string }>();
    const open = new Set(results.map(({ id }) => id));
    expect([...cases, ...responses].filter((id) => open.has(id))).toEqual([]);
    await owner.post(`${path}/lock-matching`, { status: 'locked', filter: {} });
  }
  expect(statuses).toContain(423);
  expect((await owner.get(`${path}/activity/verify`)).body.valid).toBe(true);
});
