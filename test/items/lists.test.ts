import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { csvCell } from '../../src/http/lists/csv.ts';
import type { Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { later } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { testStreaming } from './support/streamed-lists.ts';

type Listed = { identifier: string };
const idsOf = (rows: Listed[]) => rows.map(({ identifier }) => identifier);

/** Follows `next` until there is none. */
async function walk(by: Person, path: string, name: string, between = async (_page: number) => {}) {
  const found: string[] = [];
  for (let url = path, page = 0; ; page++) {
    const answer = await by.get(url);
    expect(answer.status, answer.text).toBe(200);
    found.push(...idsOf(answer.body[name]));
    const link = answer.headers.get('link');
    if (answer.body.next === undefined) {
      expect(link).toBeNull();
      return found;
    }
    const target = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1] ?? '';
    expect(new URL(target, 'https://x').searchParams.get('cursor')).toBe(answer.body.next);
    url = target;
    await between(page);
  }
}

describe('a plain request streams', () => {
  testStreaming(6_000, 8);
});

describe('pages', () => {
  test('hold the whole list, also when it is a multiple of the page, and plain', async () => {
    const study = await sleepStudy();
    const cases = await seedCases(study, 30);
    const responses = await seedResponses(study, 30);
    const path = `/investigation/${study.id}`;
    for (const limit of [1, 7, 10, 29, 30, 31]) {
      expect(await walk(study.owner, `${path}/cases?limit=${limit}`, 'cases')).toEqual(cases);
      expect(await walk(study.editor, `${path}/responses?limit=${limit}`, 'responses')).toEqual(responses);
      expect(await walk(study.responder, `${path}/responses?limit=${limit}`, 'responses')).toEqual(responses);
    }
    expect(idsOf((await study.owner.get(`${path}/cases`)).body.cases)).toEqual(cases);
    const empty = await study.other.get(`${path}/responses`);
    expect(empty.body).toEqual({ investigation: `investigation/${study.id}`, responses: [] });
  });

  test('survive insertions and deletions: what was there all along comes once', async () => {
    const study = await sleepStudy();
    const seededCases = await seedCases(study, 20);
    const added: string[] = [];
    const removed: string[] = [];
    const found = await walk(
      study.owner,
      `/investigation/${study.id}/cases?limit=4`,
      'cases',
      async (page) => {
        later(1000);
        added.push(await newCase(study, study.owner, `Added ${page}`));
        // The last row of this page, which the cursor names, and the first of the one after the next.
        const gone = [seededCases[4 * page + 3], seededCases[4 * page + 8]].filter((id) => id !== undefined);
        const answer = await study.owner.post(`/investigation/${study.id}/delete-items`, {
          cases: gone.map((identifier) => ({ identifier })),
          status: 'deleted',
        });
        expect(answer.status).toBe(204);
        removed.push(...gone);
      },
    );
    const stayed = [...seededCases.filter((id) => !removed.includes(id)), ...added];
    expect(found.filter((id) => stayed.includes(id)).sort()).toEqual(stayed.sort());
    expect(new Set(found).size).toBe(found.length);
  });

  test('order rows of the same millisecond by identifier', async () => {
    const study = await sleepStudy();
    const cases = await Promise.all(Array.from({ length: 12 }, () => newCase(study, study.owner)));
    expect(await walk(study.owner, `/investigation/${study.id}/cases?limit=5`, 'cases')).toEqual(
      cases.sort(),
    );
  });

  test('keep the filters in the link', async () => {
    const study = await sleepStudy();
    await seedCases(study, 3);
    const { headers } = await study.owner.get(
      `/investigation/${study.id}/cases?limit=1&status=all&locked=false&since=5`,
    );
    expect(headers.get('link')).toMatch(/\?limit=1&status=all&locked=false&since=5&cursor=/);
  });
});

describe('filters', () => {
  let study: Study;
  const ids: Record<string, string> = {};
  const names = (rows: Listed[]) =>
    rows.map(({ identifier }) => Object.keys(ids).find((name) => ids[name] === identifier)).sort();

  beforeAll(async () => {
    study = await sleepStudy();
    const { owner, editor, responder, other } = study;
    for (const name of ['active', 'locked', 'archived', 'archivedAndLocked'])
      ids[name] = await newCase(study, editor, name);
    ids.hidden = await newCase(study, owner, 'hidden', true);
    ids.mine = await newCase(study, responder, 'mine');
    ids.mineHidden = await newCase(study, responder, 'mine, hidden');
    await editor.patch(`/case/${ids.mineHidden}`, { hidden: true });
    const second = await owner.post(`/investigation/${study.id}/survey`, { name: 'Mood', items: [] });
    ids.byResponder = await newResponse(study, responder, ids.active ?? '');
    ids.byOther = await newResponse(study, other, ids.active ?? '');
    ids.byOwner = await newResponse(study, owner, ids.hidden);
    ids.ofMood = await newResponse({ ...study, survey: second.body.identifier }, other, ids.locked ?? '', {});
    ids.mood = second.body.identifier;
    later(3_600_000);
    await responder.patch(`/response/${ids.byResponder}`, { items: { q2: 'late' } });
    await owner.patch(`/case/${ids.active}`, { label: 'edited' });
    await owner.post(`/investigation/${study.id}/archive-items`, {
      cases: [{ identifier: ids.archived }, { identifier: ids.archivedAndLocked }],
      responses: [{ identifier: ids.ofMood }],
      status: 'archived',
    });
    await lock(owner, study, {
      cases: [ids.locked ?? '', ids.archivedAndLocked ?? ''],
      responses: [ids.byOther ?? ''],
    });
  });

  const casesOf = async (by: Person, query = '') => {
    const { body } = await by.get(`/investigation/${study.id}/cases${query}`);
    return names(body.cases);
  };
  const responsesOf = async (by: Person, query = '') => {
    const { body } = await by.get(`/investigation/${study.id}/responses${query}`);
    return names(body.responses);
  };

  test('status: active is the default; locked items are listed whatever it says, unless archived', async () => {
    const open = ['active', 'hidden', 'locked', 'mine', 'mineHidden'];
    expect(await casesOf(study.owner)).toEqual(open);
    expect(await casesOf(study.owner, '?status=active')).toEqual(open);
    expect(await casesOf(study.owner, '?status=archived')).toEqual([
      'archived',
      'archivedAndLocked',
      'locked',
    ]);
    expect(await casesOf(study.owner, '?status=all')).toEqual(
      [...open, 'archived', 'archivedAndLocked'].sort(),
    );
    expect(await responsesOf(study.owner)).toEqual(['byOther', 'byOwner', 'byResponder']);
    expect(await responsesOf(study.owner, '?status=archived')).toEqual(['byOther', 'ofMood']);
  });

  test('locked', async () => {
    expect(await casesOf(study.owner, '?locked=true')).toEqual(['locked']);
    expect(await casesOf(study.owner, '?locked=true&status=all')).toEqual(['archivedAndLocked', 'locked']);
    expect(await casesOf(study.owner, '?locked=false')).toEqual(['active', 'hidden', 'mine', 'mineHidden']);
    expect(await responsesOf(study.owner, '?locked=true')).toEqual(['byOther']);
  });

  test('case, survey, responder', async () => {
    expect(await responsesOf(study.owner, `?case=${ids.active}`)).toEqual(['byOther', 'byResponder']);
    expect(await responsesOf(study.owner, `?survey=${ids.mood}&status=all`)).toEqual(['ofMood']);
    expect(await responsesOf(study.owner, `?responder=${study.owner.id}`)).toEqual(['byOwner']);
    expect(await responsesOf(study.owner, `?responder=${study.owner.id}&case=${ids.active}`)).toEqual([]);
    expect(await responsesOf(study.responder, `?responder=${study.other.id}`)).toEqual([]);
  });

  test('since: Unix seconds of the latest revision, included', async () => {
    const edited = (await study.owner.get(`/case/${ids.active}`)).body.editedAt;
    expect(await casesOf(study.owner, `?since=${edited}`)).toEqual(['active']);
    expect(await casesOf(study.owner, `?since=${edited + 1}`)).toEqual([]);
    expect(await responsesOf(study.owner, `?since=${edited}`)).toEqual(['byResponder']);
  });

  test('each sees what is theirs', async () => {
    expect(await casesOf(study.editor)).toEqual(await casesOf(study.owner));
    expect(await casesOf(study.responder)).toEqual(['active', 'mine']);
    expect(await casesOf(study.other, '?status=all')).toEqual(['active', 'locked']);
    expect(await responsesOf(study.responder)).toEqual(['byResponder']);
    expect(await responsesOf(study.other, '?status=all')).toEqual(['byOther', 'ofMood']);
  });

  test.each([
    'limit=0',
    'limit=1001',
    'limit=1&limit=2',
    'cursor=nope',
    `cursor=${btoa('[1e999,"x"]')}`,
    `cursor=${btoa('[1,2,3]')}`,
    `cursor=${'A'.repeat(5_000)}`,
    'status=locked',
    'locked=yes',
    'case=ABC',
    'survey=x',
    'responder=me',
    'since=1e3',
    'unknown=1',
  ])('%s is refused, with a pointer', async (query) => {
    const field = query.split('=')[0];
    const answer = await study.owner.get(`/investigation/${study.id}/responses?${query}`);
    expectProblem(answer, 'request.invalid', [`?${field}`]);
  });
});

describe('CSV', () => {
  test('has the items as columns, and no cell that a spreadsheet would run', async () => {
    const study = await sleepStudy();
    const { owner, responder } = study;
    later(1000);
    await owner.post(`/investigation/${study.id}/survey`, {
      name: 'Mood',
      items: [{ identifier: 'constructor', label: 'A name that objects have' }],
    });
    const night = await newCase(study, owner, '=1+1', false);
    await newCase(study, owner, 'a "quoted", label\nof two lines');
    const id = await newResponse(study, responder, night, {
      q1: '=HYPERLINK("https://evil.example","x")',
      q2: '-2+3',
    });
    await responder.patch(`/response/${id}`, { reasons: { q1: -4 } });

    const { text, headers } = await owner.get(`/investigation/${study.id}/responses?limit=5`, {
      accept: 'text/csv',
    });
    expect(headers.get('vary')).toContain('Accept');
    const [listed] = (await owner.get(`/investigation/${study.id}/responses`)).body.responses;
    expect(text.split('\r\n')).toEqual([
      'identifier,creation,case,caseLabel,responder,name,survey,surveyName,lockedAt,status,revisionUNIX,revisionIdentifier,givenAt,receivedAt,code,notification,late,outdated,items.q1,items.q2,items.constructor,other,reasons',
      `${id},${listed.creation},${night},'=1+1,${responder.id},Chidi,${study.survey},Diary,,active,${listed.revisionUNIX},${listed.revisionIdentifier},${listed.creation},${listed.creation},,,,,"'=HYPERLINK(""https://evil.example"",""x"")",'-2+3,,,"{""q1"":-4}"`,
      '',
    ]);

    await owner.patch(`/survey/${study.survey}`, { items: [{ identifier: 'q2', label: 'Woke up?' }] });
    const dropped = await owner.get(`/investigation/${study.id}/responses`, { accept: 'text/csv' });
    expect(dropped.text).toContain(
      `,'-2+3,,"{""q1"":""=HYPERLINK(\\""https://evil.example\\"",\\""x\\"")""}"`,
    );

    const cases = await owner.get(`/investigation/${study.id}/cases`, { accept: 'text/csv' });
    expect(cases.text).toContain(",'=1+1,false,");
    expect(cases.text).toContain(',"a ""quoted"", label\nof two lines",false,');
  });

  test.each(['=1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', '＋1', '－1', '＠x'])(
    'neutralises %j',
    (text) => {
      expect(csvCell(text).replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );

  test.each(['x; +1', 'x;"=1"', 'x;\t-2+3', 'x\r\n@SUM(A1)', 'x\t＝1', 'x;-1;-2+3', '=1;=2'])(
    'neutralises %j, of which a program that separates by semicolons or tabs makes several cells',
    (text) => {
      // It honours no quotes in the middle of a line.
      const cells = csvCell(text)
        .slice(1, -1)
        .split(/[;\t\r\n]/)
        .map((cell) => cell.replaceAll('""', '"').replace(/^[\s"]*/, ''));
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@＝＋－＠](?!\d+$)/);
    },
  );

  test('leaves numbers and other text as they are', () => {
    expect([-5, true, null, undefined, 'a-b', "it's", ''].map(csvCell)).toEqual([
      '-5',
      'true',
      '',
      '',
      'a-b',
      "it's",
      '',
    ]);
    expect(csvCell('a-b;c=d;-5')).toBe('"a-b;c=d;-5"');
  });

  test('is sent when the client prefers it', async () => {
    const study = await sleepStudy();
    for (const [accept, csv] of [
      ['text/csv', true],
      ['TEXT/CSV', true],
      ['text/csv, application/json;q=0.5', true],
      ['application/json, text/csv;q=0.5', false],
      ['*/*', false],
      ['text/html', false],
    ] as const) {
      const { headers } = await study.owner.get(`/investigation/${study.id}/cases`, { accept });
      expect(headers.get('content-type')?.startsWith('text/csv'), accept).toBe(csv);
    }
  });
});

test('the seeds are as the front door would write them', async () => {
  const study = await sleepStudy();
  const [of = ''] = await seedCases(study, 1);
  const [id] = await seedResponses(study, 1, { of });
  expect((await study.responder.patch(`/response/${id}`, { items: { q2: 'x' } })).status).toBe(200);
  const { results } = await env.DB.prepare('select number from response_revision where response_id = ?')
    .bind(id)
    .all();
  expect(results).toEqual([{ number: 1 }, { number: 2 }]);
});
