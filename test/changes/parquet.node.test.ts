import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCopy } from '../../examples/replicate.ts';
import { openLists } from '../../tools/replicate/lists.ts';
import { writeTables } from '../../tools/replicate/tables.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbell-parquet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const study = 'a'.repeat(32);
const [diary, moments] = ['d'.repeat(32), 'e'.repeat(32)];

const definition = (item: string | null, kind: string | null, more: object = {}) => ({
  survey: diary,
  surveyName: 'Diary',
  item,
  label: `${item}?`,
  kind,
  required: false,
  min: null,
  max: null,
  options: null,
  sets: null,
  from: '2026-01-01T00:00:00.000Z',
  to: null,
  ...more,
});

const codebook = [
  definition(null, null, { to: '2026-01-02T00:00:00.000Z' }),
  definition('old', null, { to: '2026-03-01T00:00:00.000Z' }),
  definition('mood', 'text', { to: '2026-03-01T00:00:00.000Z' }),
  definition('hours', 'number', { min: 0, max: 24 }),
  definition('rested', 'scale', { min: 1, max: 5, options: [{ value: '1', label: 'Not at all' }] }),
  definition('better', 'yes-no'),
  definition('day', 'date'),
  definition('kept', 'choices', { options: [{ value: 'noise', label: 'Noise' }] }),
  definition('notes', 'text'),
  definition('mood', 'scale', { from: '2026-03-01T00:00:00.000Z' }),
  definition('hours', 'number', { survey: moments }),
];

const response = (n: number, items: object, more: object = {}) => ({
  identifier: String(n).padStart(32, '0'),
  creation: '2026-03-02T07:00:00.123Z',
  case: 'c'.repeat(32),
  responder: 'b'.repeat(32),
  name: 'Chidi',
  survey: diary,
  items,
  reasons: {},
  revisionUNIX: 1_772_000_000,
  revisionIdentifier: 'f'.repeat(32),
  ...more,
});

const occurrence = {
  identifier: '1'.repeat(32),
  user: 'b'.repeat(32),
  code: '0012',
  survey: diary,
  on: '2026-03-29',
  slot: 0,
  counter: 3,
  revision: 1,
  timeZone: 'Europe/Paris',
  dueAt: '2026-03-29T01:30:00.000Z',
  sentAt: '2026-03-29T01:30:00.456Z',
  shownAt: null,
  openedAt: null,
  answeredAt: null,
  late: null,
  state: 'sent',
  reason: null,
  nudges: 2,
  response: null,
};

/** A copy of a study, and one of another study in the same file. */
function copyOf(rows: { responses: { identifier: string }[]; occurrences: object[]; codebook: object[] }) {
  const copy = openCopy(':memory:');
  openLists(copy);
  for (const of of [study, '9'.repeat(32)]) {
    for (const body of rows.responses)
      copy
        .prepare("insert into thing values (?, 'response', ?, 'active', ?)")
        .run(of, body.identifier, JSON.stringify(body));
    for (const list of ['occurrences', 'codebook'] as const)
      for (const [n, body] of rows[list].entries())
        copy.prepare('insert into listed values (?, ?, ?, ?)').run(of, list, n, JSON.stringify(body));
  }
  return copy;
}

async function written(copy: DatabaseSync) {
  writeTables(copy, study, folder);
  copy.close();
  return async (name: string) => {
    const file = await asyncBufferFromFile(join(folder, `${name}.parquet`));
    const { schema } = await parquetMetadataAsync(file);
    const types = schema.slice(1).map((column) => [column.name, column.converted_type ?? column.type]);
    return { rows: await parquetReadObjects({ file }), types: Object.fromEntries(types) };
  };
}

test('answers have the types of the codebook, and those without a column are in other', async () => {
  const responses = [
    response(
      1,
      { hours: '7.5', rested: '5', better: 'no', day: '2026-02-03', kept: 'noise', notes: '', mood: '3' },
      { code: '0012', late: false, givenAt: '2026-03-01T06:00:00.000Z', reasons: { hours: 1 } },
    ),
    response(2, { hours: 'many', rested: '', better: 'yes', gone: 'z', old: 'é' }, { outdated: true }),
  ];
  const read = await written(copyOf({ responses, occurrences: [], codebook }));
  const { rows, types } = await read('responses');
  expect(types).toMatchObject({
    code: 'UTF8',
    givenAt: 'TIMESTAMP_MILLIS',
    late: 'BOOLEAN',
    'items.hours': 'DOUBLE',
    'items.rested': 'INT32',
    'items.better': 'BOOLEAN',
    'items.day': 'DATE',
    'items.kept': 'UTF8',
    'items.mood': 'UTF8',
    other: 'JSON',
  });
  expect(
    Object.keys(types)
      .filter((name) => name.startsWith('items.'))
      .at(-1),
  ).toBe('items.old');
  expect(rows).toMatchObject([
    {
      code: '0012',
      givenAt: new Date('2026-03-01T06:00:00.000Z'),
      creation: new Date('2026-03-02T07:00:00.123Z'),
      late: false,
      outdated: false,
      'items.hours': 7.5,
      'items.rested': 5,
      'items.better': false,
      'items.day': new Date('2026-02-03'),
      'items.notes': '',
      'items.mood': '3',
      other: null,
      reasons: { hours: 1 },
    },
    {
      code: null,
      givenAt: new Date('2026-03-02T07:00:00.123Z'),
      late: null,
      outdated: true,
      'items.hours': null,
      'items.rested': null,
      'items.better': true,
      'items.notes': null,
      'items.old': 'é',
      other: { gone: 'z', hours: 'many' },
      reasons: null,
    },
  ]);
});

test('occurrences and the codebook have typed columns', async () => {
  const read = await written(copyOf({ responses: [], occurrences: [occurrence], codebook }));
  const occurrences = await read('occurrences');
  expect(occurrences.types).toMatchObject({
    on: 'DATE',
    dueAt: 'TIMESTAMP_MILLIS',
    nudges: 'INT32',
    late: 'BOOLEAN',
  });
  expect(occurrences.rows).toEqual([
    {
      ...occurrence,
      on: new Date('2026-03-29'),
      dueAt: new Date(occurrence.dueAt),
      sentAt: new Date(occurrence.sentAt),
    },
  ]);
  const { rows } = await read('codebook');
  expect(rows).toHaveLength(codebook.length);
  expect(rows[4]).toMatchObject({
    item: 'rested',
    min: 1,
    options: [{ value: '1', label: 'Not at all' }],
    to: null,
  });
});

test('a study without anything has files with the same columns, and nothing else is left in the folder', async () => {
  const read = await written(copyOf({ responses: [], occurrences: [], codebook: [] }));
  const { rows, types } = await read('occurrences');
  expect(rows).toEqual([]);
  expect(Object.keys(types)).toEqual(Object.keys(occurrence));
  const tables = ['cases', 'codebook', 'members', 'occurrences', 'responses'];
  expect((await readdir(folder)).sort()).toEqual(tables.map((name) => `${name}.parquet`));
});
