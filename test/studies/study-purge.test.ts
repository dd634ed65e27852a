import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newProgram } from '../support/programs.ts';
import { insertWork, tables } from '../support/reminder-rows.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days, hours, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { differences, dump } from '../support/worker/dumps.ts';
import { carryOut } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { seedCompliance, seedResponses } from '../support/worker/seeds.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { sleepStudy, stranger, world } from '../support/worker/world.ts';
import { countedSweeps, isDeleted, removeStudy, seedHistory } from './support/purges.ts';

/** A study with a row in every table that can have one of a study. */
async function fullStudy(): Promise<Study> {
  const study = await sleepStudy(daily);
  const { owner, responder, other } = study;
  const path = `/investigation/${study.id}`;
  for (const person of [responder, other]) await pendingOf(person);
  const night = await newCase(study, responder);
  const response = await newResponse(study, responder, night);
  await responder.patch(`/response/${response}`, { items: { q1: 'badly' } });
  await responder.post(`/survey/${study.survey}/download`);
  await seedCompliance(study);
  await newSetAside(study);
  const gil = await stranger('Gil');
  await owner.post(`${path}/member`, { email: gil.email, role: 'responder' });
  await owner.post(`${path}/enrolment`, {});
  await newProgram(world, owner, study.id);
  const ended = await newProgram(world, owner, study.id);
  await owner.delete(`${path}/token/${ended.id}`);
  await owner.post(`${path}/lock-matching`, { status: 'locked', filter: {} });
  await owner.patch(path, { timeZone: 'Asia/Tokyo' });
  await owner.patch(`${path}/member/${other.id}`, { code: 'P-018' });
  // Former members keep a history.
  await owner.delete(`${path}/member/${other.id}`);
  return study;
}

/** Identifiers of what belongs to the study. */
async function idsOf({ id }: Study) {
  const tables = await dumpTables();
  const of = (name: string) => (tables[name] ?? []).filter((row) => row.investigation_id === id);
  const programs = new Set((tables.user ?? []).filter((row) => row.made_by !== null).map(({ id }) => id));
  return [
    id,
    ...['survey', 'study_case', 'response'].flatMap((name) => of(name).map((row) => String(row.id))),
    // Present and ended ones.
    ...of('change')
      .map(({ identifier }) => String(identifier))
      .filter((identifier) => programs.has(identifier)),
  ];
}

/** The tables that name something of it. */
async function naming(ids: string[]) {
  const tables = await dumpTables();
  return Object.keys(tables).filter((name) => ids.some((id) => JSON.stringify(tables[name]).includes(id)));
}

test('no table names anything of a study after its purge, and nothing of another study is gone', async () => {
  setClock(startOfTests);
  const study = await fullStudy();
  const another = await fullStudy();
  const ids = await idsOf(study);
  await study.owner.post(`/investigation/${study.id}/webhook`, { url: 'https://hooks.example.org/' });
  await removeStudy(study);
  await carryOut(insertWork({ study: study.id, at: 0 }));
  // Each table with a column that refers to a study, or to something in it, must be in this test.
  const referring = Object.entries(await columns()).filter(([, names]) =>
    names.some((name) => /^(?:investigation|survey|case|response|of)_id$/.test(name)),
  );
  expect(await naming(ids)).toEqual(
    // The rows of work are named as what they are for. Programs are users.
    [...new Set([...referring.map(([table]) => table), 'investigation', 'user', tables.work])].sort(),
  );

  later(30 * days);
  const { once } = countedSweeps();
  await once();
  expect(await naming(ids)).toContain('response_revision');
  later(2 * hours);
  const created = await studyCount(study);
  const kept = await dump();
  for (let n = 0; n < 5 && (await isDeleted(study.id)); n++) await once();
  expect(await naming(ids)).toEqual([]);
  expect([created, await studyCount(study)]).toEqual([1, 0]);
  const gone = Object.values(differences(kept, await dump())).flatMap((change) => change.gone);
  const others = await idsOf(another);
  for (const row of gone) for (const id of others) expect(row).not.toContain(id);
  expect((await scheduled(another.responder)).length + others.length).toBeGreaterThan(3);
  setClock(startOfTests);
});

/** Studies that count for its owner. */
const studyCount = ({ owner }: Study) =>
  env.DB.prepare('select study_count as n from user where id = ?').bind(owner.id).first('n');

async function columns(): Promise<Record<string, string[]>> {
  const { results } = await env.DB.prepare(
    `select t.name as name, group_concat(c.name) as columns from sqlite_master t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '\\_cf%' escape '\\' group by 1`,
  ).all<{ name: string; columns: string }>();
  return Object.fromEntries(results.map(({ name, columns }) => [name, columns.split(',')]));
}

test('a sweep removes a bounded slice, whatever the size of the study', async () => {
  setClock(startOfTests);
  const study = await fullStudy();
  await addMembers(study, 300);
  await seedResponses(study, 1500);
  await seedHistory(study, 20);
  // Of two studies of the same owner one stays.
  await study.owner.post('/investigation', { name: 'Another' });
  expect(await studyCount(study)).toBe(2);
  await removeStudy(study);
  later(31 * days);
  const { most, once } = countedSweeps();
  let sweeps = 0;
  for (; sweeps < 60 && (await isDeleted(study.id)); sweeps++) await once();
  expect(await isDeleted(study.id)).toBeNull();
  expect(await studyCount(study)).toBe(1);
  expect(sweeps).toBeGreaterThan(10);
  expect(most.roundTrips).toBeLessThanOrEqual(4);
  expect(most.rowsWritten).toBeLessThanOrEqual(8_000);
  expect(most.rowsRead).toBeLessThanOrEqual(60_000);
  setClock(startOfTests);
});
