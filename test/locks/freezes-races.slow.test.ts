import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/people.ts';
import { lock, newCase, type Study } from '../support/studies.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* The database notes each write that comes behind a freeze, in the order in which it does them. */
beforeAll(async () => {
  const isFrozen = (study: string) => `(select frozen_at from investigation where id = ${study}) is not null`;
  const tables = ['study_case', 'response', 'survey'];
  await env.DB.batch(
    [
      'create table violation (what text)',
      ...tables.flatMap((table) =>
        ['insert', 'update'].map(
          (event) => `create trigger noted_${table}_${event} after ${event} on ${table}
            when ${isFrozen('new.investigation_id')} begin insert into violation values ('${event} ${table}'); end`,
        ),
      ),
    ].map((statement) => env.DB.prepare(statement)),
  );
});

afterEach(async () => {
  expect((await env.DB.prepare('delete from violation returning what').all()).results).toEqual([]);
});

const freeze = ({ id, owner }: Study, status: string) =>
  owner.post(`/investigation/${id}/freeze`, { status, reason: 'A race' });

async function contentOf({ id }: Study) {
  const tables = ['study_case', 'response', 'survey'];
  const found = await env.DB.batch(
    tables.map((table) =>
      env.DB.prepare(`select * from ${table} where investigation_id = ? order by id`).bind(id),
    ),
  );
  return found.map(({ results }) => results);
}

const rounds = 40;
const writers = 50;

test(`${writers} writers of every kind against one freeze, ${rounds} times: after its answer nothing changes`, async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const of = await newCase(study, owner);
  const cases = await seedCases(study, 60);
  const responses = await seedResponses(study, 60, { of });
  const path = `/investigation/${study.id}`;
  const writes: ((n: number) => Promise<Answer>)[] = [
    (n) => responder.patch(`/response/${responses[n % 60]}`, { items: { q2: `edit ${n} ${Math.random()}` } }),
    (n) => editor.patch(`/case/${cases[n % 60]}`, { label: `Edit ${n} ${Math.random()}` }),
    () => responder.post(`/survey/${study.survey}/response`, { case: of, items: { q1: 'well' } }),
    () => editor.post(`${path}/case`, { label: 'New' }),
    (n) => lock(owner, study, { cases: [cases[n % 60] ?? ''] }, n % 2 ? 'locked' : 'unlocked'),
    (n) =>
      editor.post(`${path}/archive-items`, {
        responses: [{ identifier: responses[(n * 7) % 60] }],
        status: Math.random() < 0.5 ? 'archived' : 'active',
      }),
    (n) => editor.patch(`/survey/${study.survey}`, { name: `Diary ${n} ${Math.random()}` }),
  ];
  const write = (n: number) => (writes[n % writes.length] as (typeof writes)[number])(n);
  const outcomes: Record<string, number> = {};

  for (let round = 0; round < rounds; round++) {
    const turn = (round * 7) % writers;
    const early = Array.from({ length: turn }, (_, n) => write(n));
    const freezing = freeze(study, 'frozen');
    const late = Array.from({ length: writers - turn }, (_, n) => write(turn + n));
    const answer = await freezing;
    // Too many writers at once is the only other answer that a freeze may give.
    if (answer.status === 503) continue;
    expect(answer.status, answer.text).toBe(204);
    const atFreeze = await contentOf(study);
    for (const { status } of await Promise.all([...early, ...late]))
      outcomes[status] = (outcomes[status] ?? 0) + 1;
    expect(await contentOf(study)).toEqual(atFreeze);
    expect((await freeze(study, 'active')).status).toBe(204);
  }

  expect(
    Object.keys(outcomes).filter((status) => !['200', '201', '204', '409', '423', '503'].includes(status)),
  ).toEqual([]);
  // Both sides of the race were met.
  expect(outcomes[423]).toBeGreaterThan(rounds);
  expect((outcomes[200] ?? 0) + (outcomes[201] ?? 0)).toBeGreaterThan(rounds);
  const verified = await owner.get(`${path}/activity/verify`);
  expect(verified.body.valid).toBe(true);
});
