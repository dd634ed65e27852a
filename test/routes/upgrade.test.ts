import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { hashOf, sha256 } from '../support/chains.ts';
import { inboxOf } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { setClock } from './support/clock.ts';
import { readLog } from './support/logs.ts';
import { history, tick } from './support/reminders.ts';
import { callSns } from './support/sns.ts';
import { stranger, world } from './support/world.ts';

/*
 * A database that version 0.1.0 wrote, through every migration since: what people had stands, and goes on.
 */

const idOf = (digit: string) => digit.repeat(32);
const [study, survey, night, answer] = ['1', '2', '3', '4'].map(idOf) as [string, string, string, string];
const [ada, ben] = [await stranger('Ada'), await stranger('Ben')];
Object.assign(ada, { id: idOf('a') });
Object.assign(ben, { id: idOf('b') });
const android = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android';
const token = 'a-phone-of-version-0.1.0';
const [yesterday, today] = ['2027-02-28', '2027-03-01'];
const created = Date.parse('2027-02-20T08:00:00.000Z');

const reminders = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  ends: null,
  delay: null,
  unlessAnswered: false,
  expiresAfter: 360,
  notification: { subject: 'Sleep diary', body: 'How was your night?' },
};

function insert(table: string, row: Record<string, string | number | null | object>) {
  const values = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );
  const columns = Object.keys(row);
  return env.DB.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  ).bind(...values);
}

/** The log as that version hashed it: an array of the stored fields. */
async function oldLog() {
  const entries = [
    { action: 'study.changed', cases: [], responses: [], reason: null, details: { name: 'Sleep' } },
    { action: 'items.locked', cases: [night], responses: [answer], reason: 'Reviewed', details: null },
  ];
  let previous = '0'.repeat(64);
  const statements = [];
  for (const [index, { action, cases, responses, reason, details }] of entries.entries()) {
    const position = index + 1;
    const id = idOf(`${index + 5}`);
    const fields = [study, position, id, created + index, ada.id, action, cases, responses, reason, details];
    previous = await sha256(`${previous}\n${JSON.stringify(fields)}`);
    statements.push(
      insert('activity', {
        ...{ investigation_id: study, position, id, at: created + index, actor_id: ada.id },
        ...{ action, cases, responses, reason, details, hash: previous },
      }),
    );
  }
  return statements;
}

beforeAll(async () => {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, 3));
  const endpoint = await callSns('CreatePlatformEndpoint', {
    PlatformApplicationArn: android,
    Token: token,
  });
  const item = { created_at: created + 2, locked_at: created + 3, archived_at: null, deleted_at: null };
  const occurrence = { user_id: ben.id, survey_id: survey, revision: 1, time_zone: 'Europe/Paris' };
  await env.DB.batch([
    ...[ada, ben].map(({ id, name, email }) =>
      insert('user', {
        ...{ id, issuer: env.AUTH_ISSUER, subject: email.split('@')[0] ?? '', email, name },
        ...{ time_zone: 'Europe/Paris', created_at: created },
      }),
    ),
    insert('investigation', {
      ...{ id: study, name: 'Sleep', time_zone: 'Europe/Paris', starts_on: '2027-02-20' },
      ...{ created_at: created, active_since: created },
    }),
    insert('member', { investigation_id: study, user_id: ada.id, role: 'owner', created_at: created }),
    insert('member', {
      investigation_id: study,
      user_id: ben.id,
      role: 'responder',
      created_at: created + 1,
    }),
    insert('survey', {
      ...{ id: survey, investigation_id: study, name: 'Diary', created_at: created, reminders },
      items: [{ identifier: 'q1', text: 'How did you sleep?' }],
      ...{ reminders_revision: 1, reminders_since: created },
    }),
    insert('study_case', {
      ...{
        id: night,
        investigation_id: study,
        creator_id: ben.id,
        label: 'Night 1',
        hidden: 0,
        created_with: '',
      },
      ...{ ...item, edited_at: created + 2, revision_id: idOf('7'), state_revision: idOf('7') },
    }),
    insert('response', {
      ...{ id: answer, investigation_id: study, survey_id: survey, case_id: night, responder_id: ben.id },
      ...{ items: { q1: 'well' }, reasons: {}, revised_at: created + 3, ...item },
      ...{ revision_id: idOf('9'), state_revision: idOf('9') },
    }),
    ...['badly', 'well'].map((q1, index) =>
      insert('response_revision', {
        ...{ response_id: answer, number: index + 1, id: idOf(index ? '9' : '8'), author_id: ben.id },
        ...{ at: created + 2 + index, items: { q1 }, reasons: {} },
      }),
    ),
    insert('device', {
      ...{ id: idOf('d'), user_id: ben.id, platform: 'android', token },
      ...{ endpoint: endpoint.text('EndpointArn') ?? '', time_zone: 'Europe/Paris' },
      ...{ created_at: created, updated_at: created, seen_at: created },
    }),
    insert('scheduled_notification', {
      ...{ ...occurrence, occurs_on: yesterday, counter: 9, state: 'sent' },
      ...{ due_at: Date.parse('2027-02-28T20:30:00.000Z'), look_at: Date.parse('2027-02-28T20:30:00.000Z') },
      ...{ settled_at: Date.parse('2027-02-28T20:30:01.000Z'), deliveries: [] },
    }),
    insert('scheduled_notification', {
      ...{ ...occurrence, occurs_on: today, counter: 10 },
      ...{ due_at: Date.parse('2027-03-01T20:30:00.000Z'), look_at: Date.parse('2027-03-01T20:30:00.000Z') },
    }),
    ...(await oldLog()),
  ]);
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

test('what was locked is locked, its revisions read as before, and it is edited after an unlock', async () => {
  const { body } = await ada.get(`/response/${answer}`);
  expect(body).toMatchObject({ items: { q1: 'well' }, lockedAt: new Date(created + 3).toISOString() });
  expect((await ben.patch(`/response/${answer}`, { items: { q1: 'fine' } })).status).toBe(423);
  const unlock = {
    status: 'unlocked',
    cases: [{ identifier: night }],
    responses: [{ identifier: answer }],
  };
  expect((await ada.post(`/investigation/${study}/lock-items`, unlock)).status).toBe(204);
  expect((await ben.patch(`/response/${answer}`, { items: { q1: 'fine' } })).status).toBe(200);
  const { revisions } = (await ada.get(`/response/${answer}/revisions`)).body;
  expect(revisions.map(({ items }: { items: { q1: string } }) => items.q1)).toEqual([
    'fine',
    'well',
    'badly',
  ]);
});

test('the log gets hashes that anyone can compute, and says so', async () => {
  const { valid, head } = (await ada.get(`/investigation/${study}/activity/verify`)).body;
  expect(valid).toBe(true);
  await tick();
  const entries = await readLog({ id: study } as Study, ada);
  expect(entries.at(-1)).toMatchObject({
    action: 'log.rehashed',
    details: { from: 1, before: { hash: head } },
  });
  let previous = '0'.repeat(64);
  for (const { hash, actorName, ...entry } of entries) {
    previous = await hashOf(previous, entry);
    expect(hash).toBe(previous);
  }
});

test('what was sent before compliance was counted is counted once', async () => {
  const read = async () => {
    const path = `/investigation/${study}/compliance?from=${yesterday}&to=${yesterday}`;
    const { totals, participants } = (await ada.get(path)).body;
    const { due, sent, failed } = participants.find(({ user }: { user: string }) => user === ben.id);
    return { totals, ben: { due, sent, failed } };
  };
  const all = { due: 1, sent: 1, failed: 0 };
  await tick();
  for (const hour of ['09', '10']) {
    setClock(`2027-03-01T${hour}:00:30.000Z`);
    await tick();
    // Ada, who has no phone, was due that evening too, and skipped since.
    expect(await read()).toMatchObject({ totals: { ...all, due: 2 }, ben: all });
  }
});

test('the pending reminder goes out once at its time, and the next is planned', async () => {
  setClock('2027-03-01T20:31:30.000Z');
  await tick();
  await tick();
  const pushes = await inboxOf(world, token);
  expect(pushes).toHaveLength(1);
  expect(pushes[0]?.data.notification).toBe('bbbbbbbbbbbb890ca8c2483001518eff');
  expect((await history(ben)).map(({ state, dueAt }) => [dueAt.slice(0, 10), state]).sort()).toEqual([
    [yesterday, 'sent'],
    [today, 'sent'],
    ['2027-03-02', 'scheduled'],
  ]);
});
