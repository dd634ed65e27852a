import { describe, expect, test } from 'vitest';
import { csvCell } from '../../src/http/lists/csv.ts';
import { csv, linesOf, mark, ndjson, nextOf } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* Lists as NDJSON and as CSV: every list has both. */

const { request } = countedApp();

/** Texts lose the mark, so bytes are read. */
async function bytesOf(by: Person, path: string) {
  const answer = await request(by, 'GET', path, undefined, csv);
  return [...new Uint8Array(await answer.arrayBuffer())];
}

/** The paths of all lists of a study, and the field of each. */
const lists = (id: string) =>
  Object.entries({
    responses: `/investigation/${id}/responses`,
    cases: `/investigation/${id}/cases`,
    surveys: `/investigation/${id}/surveys`,
    setAside: `/investigation/${id}/set-aside`,
    participants: `/investigation/${id}/compliance`,
    items: `/investigation/${id}/codebook`,
  });

async function filledStudy(): Promise<Study> {
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  await newResponse(study, study.responder, night);
  await newResponse(study, study.other, await newCase(study, study.other, 'Night 2'));
  await newSetAside(study);
  return study;
}

test('every list is a row of JSON a line, without a head', async () => {
  const study = await filledStudy();
  for (const [name, path] of lists(study.id)) {
    const { body } = await study.owner.get(path);
    const { text, status, headers } = await study.owner.get(path, ndjson);
    expect(status, name).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(headers.get('vary')).toContain('Accept');
    expect(text.endsWith('\n')).toBe(true);
    expect(linesOf(text), name).toEqual(body[name]);
    expect(body[name].length, name).toBeGreaterThan(0);
  }
});

test('a page of it links to the next one', async () => {
  const study = await filledStudy();
  for (const [name, path] of lists(study.id).filter(([name]) => name !== 'setAside' && name !== 'surveys')) {
    const first = await study.owner.get(`${path}?limit=1`, ndjson);
    const { body } = await study.owner.get(path);
    const second = await study.owner.get(nextOf(first) ?? '', ndjson);
    expect([...linesOf(first.text), ...linesOf(second.text)], name).toEqual(body[name].slice(0, 2));
  }
});

test('it is sent when the client prefers it', async () => {
  const study = await sleepStudy();
  for (const [accept, type] of [
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/x-ndjson, application/json;q=0.5', 'application/x-ndjson'],
    ['application/x-ndjson;q=0.5, text/csv', 'text/csv; charset=utf-8; header=present'],
    ['application/json, application/x-ndjson;q=0.9', 'application/json'],
    ['*/*', 'application/json'],
  ] as const) {
    const { headers, text } = await study.owner.get(`/investigation/${study.id}/cases`, { accept });
    expect(headers.get('content-type'), accept).toBe(type);
    if (type === 'application/x-ndjson') expect(text).toBe('');
  }
});

test('a long one is a download, a short one or a page is not, as of JSON', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/cases`;
  const logged = async () => readLog(study, study.owner, '&action=data.exported');
  await seedCases(study, 1_000);
  expect(linesOf((await study.owner.get(path, ndjson)).text)).toHaveLength(1_000);
  expect(linesOf((await study.owner.get(`${path}?limit=1000`, ndjson)).text)).toHaveLength(1_000);
  expect(await logged()).toEqual([]);
  await seedCases(study, 1);
  expect(linesOf((await study.owner.get(path, ndjson)).text)).toHaveLength(1_001);
  await study.owner.get(`${path}?limit=1000`, ndjson);
  expect((await request(study.owner, 'HEAD', path, undefined, ndjson)).status).toBe(200);
  expect(await logged()).toMatchObject([
    { details: { data: 'cases', format: 'ndjson', filter: { status: 'active' }, count: 1_001 } },
  ]);
});

test('a long one is streamed in pieces of a page', async () => {
  const study = await sleepStudy();
  await seedResponses(study, 30, { answer: 'y'.repeat(90_000) });
  const answer = await request(study.owner, 'GET', `/investigation/${study.id}/responses`, undefined, ndjson);
  const sizes: number[] = [];
  for await (const piece of answer.body as ReadableStream<Uint8Array>) sizes.push(piece.length);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(1_300_000);
});

describe('with mark=true', () => {
  test('every file of CSV begins with the mark of UTF-8, once, streamed or as a page', async () => {
    const study = await filledStudy();
    for (const [, path] of lists(study.id))
      for (const query of ['', '&limit=1']) {
        const plain = await bytesOf(study.owner, `${path}?mark=false${query}`);
        expect(plain.slice(0, 3)).not.toEqual(mark);
        expect(await bytesOf(study.owner, `${path}?mark=true${query}`)).toEqual([...mark, ...plain]);
      }
  });

  test('JSON is as it was', async () => {
    const study = await filledStudy();
    for (const [name, path] of lists(study.id))
      for (const headers of [{}, ndjson] as Record<string, string>[]) {
        const { text } = await study.owner.get(`${path}?mark=true`, headers);
        expect(text, name).toBe((await study.owner.get(path, headers)).text);
      }
  });

  test('it is not of the filter in the log', async () => {
    const study = await sleepStudy();
    await study.owner.get(`/investigation/${study.id}/cases?mark=true`, csv);
    const [entry] = await readLog(study, study.owner, '&action=data.exported');
    expect(entry.details.filter).toEqual({ status: 'active' });
  });
});

describe('a file that is read with semicolons or tabs', () => {
  /** The cells as a program reads them that honours no quotes in the middle of a line, without what it may drop. */
  const cellsOf = (text: string) =>
    csvCell(text)
      .split(/[;\t\r\n]/)
      .map((cell) => cell.replace(/^[\s"]*/, ''));
  const isFormula = (cell: string) =>
    /^[=+\-@＝＋－＠]/.test(cell) && !/^-[0-9.]+(?:[eE][+-]?[0-9]+)?"?$/.test(cell);
  const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
  const before = ['', ' ', '"', '""', '" "', '\u00a0', '\u3000', '\uFEFF', '"\t"', ';;', '; "'];

  test.each([';', '\t', '\n', '\r', '\r\n'])('begins no formula behind %j', (separator) => {
    for (const start of starts)
      for (const between of before)
        for (const text of [
          `x${separator}${between}${start}SUM(A1)`,
          `${separator}${between}${start}cmd|' /C calc'!A0`,
        ])
          expect(cellsOf(text).filter(isFormula), JSON.stringify(text)).toEqual([]);
  });

  test('keeps negative numbers, and signs in the middle of a cell', () => {
    for (const text of ['a;-5', 'a;-5;b', 'a;-1.5e-3;b', 'a;b=c', 'a; b-c', 'a,=b'])
      expect(csvCell(text).replace(/^"|"$/g, '')).toBe(text);
    expect(csvCell('a;-5x')).toBe('"a;\'-5x"');
  });

  test.each([
    ['semicolons and blanks', '; '],
    ['quotes', ';"'],
    ['line breaks', '\n'],
    ['tabs', '\t'],
    ['blanks', ' '],
    ['digits', ';-1'],
    ['semicolons', ';'],
  ])('takes a megabyte of %s in one pass', (_, part) => {
    // A second look at the rest for each character takes hours.
    const text = `;${part.repeat(1_000_000 / part.length)}`;
    for (const end of ['x', '', '=', '-1', `-${'1'.repeat(500_000)}x`])
      expect(csvCell(text + end).length).toBeGreaterThan(text.length);
  });
});
