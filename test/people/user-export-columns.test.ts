/// <reference types="vite/types/importMeta.d.ts" />
import { env } from 'cloudflare:workers';
import { is } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { exportKinds } from '../../src/people/export-kinds.ts';
import { readExport } from '../../src/people/exports.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { created } from '../support/people.ts';
import { tables as ofReminders, unexportedColumns } from '../support/reminder-rows.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { seedSilent } from '../support/worker/reminder-tables.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { dumpTables, restoreTables } from '../support/worker/tables.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

/*
 * A person's export has everything stored about them, column by column of the schema. A column is exported if another
 * value of it makes another export with no fewer lines, or if its value is an identifier that the export has, like the
 * user's own in the line of the account. Columns that are left out are listed here with the reason, so that a new column
 * needs a decision.
 */

const schema = import.meta.glob<Record<string, unknown>>('../../src/**/*schema.ts', { eager: true });

const tables = Object.values(schema)
  .flatMap((file) => Object.values(file))
  .filter((one) => is(one, SQLiteTable))
  .map(getTableConfig);

/** Chidi's rows, in each table that has some. Of the log: his actions, and actions on him. */
const rowsOf = ({ responder: { id, email } }: Study): Record<string, readonly string[]> => ({
  user: [`id = '${id}'`],
  device: [`user_id = '${id}'`],
  member: [`user_id = '${id}'`],
  member_code: [`user_id = '${id}'`],
  invitation: [`email = '${email}'`],
  [ofReminders.downloads]: [`user_id = '${id}'`],
  study_case: [`creator_id = '${id}'`],
  response: [`responder_id = '${id}'`],
  set_aside: [`responder_id = '${id}'`],
  response_revision: [`response_id in (select id from response where responder_id = '${id}')`],
  [ofReminders.past]: [`user_id = '${id}' and state = 'sent'`],
  participant_compliance: [`user_id = '${id}'`],
  zone_change: [`of_id = '${id}'`],
  access_day: [`user_id = '${id}'`],
  activity: [`actor_id = '${id}'`, `details ->> '$.member' = '${id}'`],
});

/** Tables without anything about a person, and why. */
const impersonal: Record<string, string> = {
  investigation: 'a study; its name is in the membership, and who created it',
  deleted_study: 'a study',
  survey: 'of a study',
  survey_compliance: 'counts of a survey, of all its participants',
  activity_item: "the items of an entry, which are other people's too; the entry is exported",
  [ofReminders.work]: 'an identifier, until the user is planned again',
  relay_message: 'messages of the relay, by their own identifiers',
  metric: 'counts of the whole service',
  job_run: 'when jobs ran',
  enrolment: 'of a study; the account names the code that made it, and the log who made one for a new phone',
  webhook: 'of a study; the log says who added it',
  change: 'repeats what has changed, memberships included, which are exported',
};

/** Columns of a person's rows that are not exported, and why. */
const heldBack: Record<string, string> = {
  'activity.cases': "what an entry changed may be other people's; the log shows it to those who may read it",
  'activity.responses':
    "what an entry changed may be other people's; the log shows it to those who may read it",
  'activity.hash': 'of the chain of the log; the position is exported',
  'activity.id': 'the position is exported, which names the entry',
  'device.endpoint': 'a secret',
  'device.changed_at': 'a change at the relay that is under way',
  'device.status': 'what somebody else did, or a deletion that is under way',
  'device.token': 'a secret',
  'invitation.invited_by': 'somebody else',
  'notification.properties': 'those of the membership, some of which may be blinded',
  'member.written': 'how much was written today',
  'response.changed_bytes': 'a size',
  'response.deleted_at': 'what is deleted is not exported',
  'response.locked_in': 'where the log has the lock, whose time is exported',
  'response.state_revision': 'which copies of clients are stale',
  'response.occurrence': 'the occurrence of the reminder that is exported',
  'response.stored_bytes': 'a size',
  'response_revision.whole_bytes': 'a size',
  'user.expires_at': 'of programs, which are no people',
  'user.made_by': 'of programs, which are no people',
  'zone_change.position': 'the order of the lines',
  ...unexportedColumns,
  'study_case.created_with': 'a hash of what it was created with',
  'set_aside.created_hash': 'a digest of the request',
  'set_aside.occurrence': 'the occurrence of the reminder that is exported',
  'set_aside.stored_bytes': 'a size',
  'study_case.deleted_at': 'what is deleted is not exported',
  'study_case.locked_in': 'where the log has the lock, whose time is exported',
  'study_case.revision_id': "of the newest edit, which may be somebody else's; its time is exported",
  'study_case.state_revision': 'which copies of clients are stale',
  'user.deleted_at': 'who is deleted has no export',
};

let study: Study;

/** Chidi has a row in every table that is about people; Eve invites him to another study. */
beforeAll(async () => {
  setClock(startOfTests);
  study = await sleepStudy(daily);
  const { owner, responder } = study;
  await newPhone(responder);
  await responder.patch('/user/me', {
    customRemindersTime: '21:00',
    quietHours: { from: '23:00', to: '06:00' },
  });
  await pendingOf(responder);
  await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { code: 'P-017' });
  const night = await newCase(study, responder);
  await responder.post(`/survey/${study.survey}/download`);
  await responder.post(`/investigation/${study.id}/archive-items`, {
    cases: [{ identifier: night }],
    status: 'archived',
    reason: 'A nap',
  });
  setClock('2027-03-01T20:00:00.000Z');
  await ring(responder);
  setClock(Date.parse('2027-03-01T20:00:00.000Z') + minutes);
  const other = await newCase(study, responder);
  const response = await newResponse(study, responder, other, { q1: 'like a log' });
  await owner.patch(`/response/${response}`, { items: { q2: '07:10' } });
  await newSetAside(study);
  const [, sent] = await history(responder);
  expect(sent.state).toBe('sent');
  const eve = await signUp('Eve');
  const elsewhere = created(await eve.post('/investigation', { name: 'Elsewhere' })).identifier;
  await eve.post(`/investigation/${elsewhere}/member`, { email: responder.email, role: 'editor' });
  await env.DB.batch([
    env.DB.prepare("insert into participant_compliance values (?, ?, '2027-02', ?)").bind(
      responder.id,
      study.survey,
      '[["2027-02-14","sent",0,0,0]]',
    ),
    env.DB.prepare("insert into access_day values (?, ?, '2027-03-01', 1803888000000)").bind(
      study.id,
      responder.id,
    ),
  ]);
  await seedSilent(study.survey, [responder.id]);
});

/** The lines of a table in Chidi's export: by the reads that the route makes, of the kinds that name the table. */
async function exported(table: string): Promise<string[]> {
  const kinds = exportKinds.flatMap(({ from }, kind) =>
    new RegExp(`\\b(?:current_)?${table} \\w\\b`).test(JSON.stringify(from)) ? [kind] : [],
  );
  const context = { db: openD1(env.DB), actor: study.responder.id } as Context;
  const pages = await Promise.all(kinds.map((kind) => readExport(context, { kind, after: null })));
  return pages.flatMap(({ rows }) => rows.map((row) => JSON.stringify(row)));
}

/** In SQL: another value that the column may have. */
function otherValue({ name, dataType, enumValues }: SQLiteColumn): string {
  if (dataType === 'json')
    return `iif(json_type("${name}") = 'object', json_set("${name}", '$.after', 'probe'), '[{"probe":"${name}"}]')`;
  if (dataType === 'boolean') return `1 - coalesce("${name}", 0)`;
  if (dataType === 'number') return `coalesce("${name}", 1800000000000) + 10`;
  const [first, second] = enumValues ?? [];
  return second ? `iif("${name}" is '${first}', '${second}', '${first}')` : `'another ${name}'`;
}

interface Place {
  table: string;
  where: string;
  /** Of the export as it is. */
  lines: readonly string[];
}

async function isExported({ table, where, lines }: Place, column: SQLiteColumn): Promise<boolean> {
  const rows = await env.DB.prepare(`select "${column.name}" as value from "${table}" where ${where}`).all<{
    value: unknown;
  }>();
  expect(rows.results.length, `${table} where ${where}`).toBeGreaterThan(0);
  const text = [...lines, JSON.stringify([study.responder.id, study.responder.email])].join();
  const named = rows.results.every(
    ({ value }) => typeof value === 'string' && value.length >= 10 && text.includes(`"${value}"`),
  );
  if (named) return true;
  const before = await dumpTables();
  await env.DB.prepare(`update "${table}" set "${column.name}" = ${otherValue(column)} where ${where}`).run();
  const after = await exported(table);
  await restoreTables(before);
  return after.length >= lines.length && after.join() !== lines.join();
}

test('every table is about people or says why not', () => {
  const named = [...Object.keys(rowsOf(study)), ...Object.keys(impersonal)];
  expect(tables.map(({ name }) => name).sort()).toEqual(named.sort());
});

test('every column of what is held about a person is in their export, or says why not', async () => {
  const missing: string[] = [];
  const rows = rowsOf(study);
  // SQLite computes these from the others.
  for (const { name: table, columns } of tables)
    for (const column of columns.filter(({ generated }) => !generated)) {
      const places = rows[table] ?? [];
      const lines = places.length > 0 ? await exported(table) : [];
      const found: boolean[] = [];
      for (const where of places) found.push(await isExported({ table, where, lines }, column));
      if (places.length > 0 && !found.includes(true)) missing.push(`${table}.${column.name}`);
    }
  expect(missing.sort()).toEqual(Object.keys(heldBack).sort());
});
