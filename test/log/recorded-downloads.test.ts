import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { csv, linkedPages, ndjson } from '../support/lists.ts';
import { type Person, requestOf } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { readChecked } from '../support/worker/contract.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/* Downloads of whole lists by owners and editors are entries of the log, before their first byte. */

async function answeredStudy() {
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  await newResponse(study, study.responder, night);
  await newResponse(study, study.other, await newCase(study, study.other, 'Night 2'));
  const path = `/investigation/${study.id}`;
  await study.owner.patch(`${path}/member/${study.responder.id}`, { code: 'P-017' });
  return { ...study, night, path };
}

const exportsOf = (study: Study) => readLog(study, study.owner, '&action=data.exported');

describe('a download is one entry, with its filter and its count', () => {
  const downloads: [string, string, object, object][] = [
    ['responses', '/responses', csv, { filter: { status: 'active' }, count: 2 }],
    [
      'responses',
      '/responses?survey=:survey&locked=false&include=lock',
      csv,
      {
        filter: { survey: ':survey', locked: false, status: 'active', include: 'lock' },
        count: 2,
      },
    ],
    [
      'responses',
      '/responses?responder=:responder&since=1',
      csv,
      {
        filter: { responder: ':responder', since: 1, status: 'active' },
        count: 1,
      },
    ],
    ['cases', '/cases?status=all', csv, { filter: { status: 'all' }, count: 2 }],
    [
      'compliance',
      '/compliance?from=2027-02-27&to=2027-03-01',
      csv,
      {
        filter: { from: '2027-02-27', to: '2027-03-01' },
        count: 2,
      },
    ],
    [
      'compliance',
      '/compliance?to=2027-03-01&attention=never-downloaded',
      csv,
      {
        filter: { from: '2027-02-02', to: '2027-03-01', attention: 'never-downloaded' },
        count: 2,
      },
    ],
    [
      'occurrences',
      '/occurrences?survey=:survey&user=:responder&to=2027-03-01',
      csv,
      { filter: { survey: ':survey', user: ':responder', to: '2027-03-01' }, count: 0 },
    ],
    ['activity', '/activity', ndjson, { filter: {}, count: 5 }],
    ['changes', '/changes?include=body', {}, { filter: {}, count: 13 }],
  ];
  test.each(downloads)('of %s: %s', async (data, path, headers, details) => {
    const study = await answeredStudy();
    const named = (text: string) =>
      text.replace(':survey', study.survey).replace(':responder', study.responder.id);
    for (const [n, person] of [study.editor, study.owner].entries()) {
      const answer = await person.get(named(study.path + path), headers as Record<string, string>);
      expect(answer.status, answer.text).toBe(200);
      const found = await exportsOf(study);
      expect(found).toHaveLength(n + 1);
      const format = headers === csv ? 'csv' : headers === ndjson ? 'ndjson' : 'json';
      expect(found.at(-1)).toMatchObject({
        actor: person.id,
        cases: [],
        responses: [],
        details: { data, format },
      });
      const count = data === 'activity' ? { count: 5 + n } : {};
      expect(found.at(-1).details).toMatchObject({ ...JSON.parse(named(JSON.stringify(details))), ...count });
      expect(Object.keys(found.at(-1).details.filter).sort()).toEqual(
        Object.keys((details as { filter: object }).filter).sort(),
      );
    }
    expect((await study.owner.get(`${study.path}/activity/verify`)).body.valid).toBe(true);
  });

  test('a code in the filter is told as its person, since codes may change', async () => {
    const study = await answeredStudy();
    const lines = async (code: string) =>
      (await study.owner.get(`${study.path}/responses?code=${code}`, csv)).text.trimEnd().split('\r\n')
        .length;
    expect(await lines('P-017')).toBe(2);
    expect(await lines('P-018')).toBe(1);
    const [known, unknown] = await exportsOf(study);
    expect(known.details).toMatchObject({ filter: { codeOf: study.responder.id }, count: 1 });
    expect(unknown.details).toMatchObject({ filter: { codeOf: null }, count: 0 });
    expect(JSON.stringify([known, unknown])).not.toContain('P-01');
  });

  test('deleted items too, of which only owners know', async () => {
    const study = await answeredStudy();
    const items = { cases: [{ identifier: study.night }], status: 'deleted' };
    await study.owner.post(`${study.path}/delete-items`, items);
    expectProblem(await study.editor.get(`${study.path}/cases?status=deleted`, csv), 'action.forbidden');
    expect((await study.owner.get(`${study.path}/cases?status=deleted`, csv)).status).toBe(200);
    expect(await exportsOf(study)).toMatchObject([
      { actor: study.owner.id, details: { data: 'cases', filter: { status: 'deleted' }, count: 1 } },
    ]);
  });

  test('several at once are as many entries', async () => {
    const study = await answeredStudy();
    const answers = await Promise.all(
      [study.owner, study.editor, study.owner].map((by) => by.get(`${study.path}/cases`, csv)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await exportsOf(study)).toHaveLength(3);
  });

  test('also while the study is frozen, or archived', async () => {
    const study = await answeredStudy();
    await study.owner.post(`${study.path}/freeze`, { status: 'frozen', reason: 'Database lock' });
    expect((await study.owner.get(`${study.path}/responses`, csv)).status).toBe(200);
    await study.owner.patch(study.path, { status: 'archived' });
    expect((await study.owner.get(`${study.path}/responses`, csv)).status).toBe(200);
    expect(await exportsOf(study)).toHaveLength(2);
  });
});

describe('reading is no download', () => {
  test('pages, short lists, HEAD, what comes after the beginning of a copy, and what is refused', async () => {
    const study = await answeredStudy();
    const { owner, editor, responder, path } = study;
    await changingNothing(async () => {
      for (const list of [
        '/responses',
        '/responses?limit=1',
        '/cases',
        '/compliance',
        '/activity',
        '/surveys',
      ])
        expect((await owner.get(path + list)).status).toBe(200);
      const { latest } = (await owner.get(`${path}/changes`)).body;
      const behind = Math.floor(latest / 2);
      expect((await owner.get(`${path}/changes?include=body&after=${latest - behind}`)).status).toBe(200);
      expect((await owner.get(`${path}/changes`)).status).toBe(200);
      expect((await owner.get(`${path}/surveys`, csv)).status).toBe(200);
      for (const list of ['responses', 'cases', 'activity', 'changes?include=body']) {
        const accept = list === 'activity' ? ndjson : csv;
        const call = requestOf({ method: 'HEAD', token: editor.token, headers: accept });
        const app = createApp(createServices(env), readConfig(env));
        expect((await app.request(`${path}/${list}`, call)).status).toBe(200);
      }
      expectProblem(await editor.get(`${path}/responses?locked=maybe`, csv), 'request.invalid');
      expectProblem(await responder.get(`${path}/activity`, ndjson), 'action.forbidden');
    });
  });

  test('a reader who keeps a copy in step', async () => {
    const study = await answeredStudy();
    const path = `${study.path}/changes?include=body`;
    let { next } = (await study.owner.get(path)).body;
    for (let n = 0; n < 8; n++) {
      await newCase(study, study.responder, `Morning ${n}`);
      await changingNothing(async () => {
        const { body } = await study.owner.get(`${path}&after=${next}`);
        expect(body.changes).toHaveLength(1);
        next = body.next;
      });
    }
  });

  test('a copy that the reader has already', async () => {
    const study = await answeredStudy();
    const path = `${study.path}/changes?include=body`;
    const { headers } = await study.owner.get(path);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    await changingNothing(async () => expect((await study.owner.get(path, known)).status).toBe(304));
  });

  test("a responder's own", async () => {
    const study = await answeredStudy();
    await changingNothing(async () => {
      for (const list of ['responses', 'cases'])
        expect((await study.responder.get(`${study.path}/${list}`, csv)).text.split('\r\n')).toHaveLength(3);
    });
  });
});

test('pages of one download are one entry, and so is a list that is longer than a page', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/responses`;
  await seedResponses(study, 1_000);
  expect((await study.owner.get(path)).body.responses).toHaveLength(1_000);
  expect(await exportsOf(study)).toEqual([]);
  await seedResponses(study, 1, { by: study.other.id });
  expect((await study.owner.get(path)).body.responses).toHaveLength(1_001);
  expect(await exportsOf(study)).toMatchObject([
    { details: { data: 'responses', format: 'json', count: 1_001 } },
  ]);

  let pages = 0;
  for await (const _ of linkedPages(study.owner, `${path}?limit=400`, csv)) pages += 1;
  expect(pages).toBe(3);
  expect((await exportsOf(study)).slice(1)).toMatchObject([{ details: { format: 'csv', count: 1_001 } }]);
});

describe('a copy of the feed is one entry, wherever it begins', () => {
  const walk = async (study: Study, by: Person, from: number) => {
    let [after, pages] = [from, 0];
    for (let latest = Number.POSITIVE_INFINITY; after < latest; pages++) {
      const { status, body } = await by.get(
        `/investigation/${study.id}/changes?include=body&limit=400&after=${after}`,
      );
      expect(status).toBe(200);
      after = body.next;
      latest = body.latest;
    }
    return { pages, latest: after };
  };

  test('nearly at the beginning of a short study', async () => {
    const study = await answeredStudy();
    const { status, body } = await study.owner.get(`${study.path}/changes?include=body&after=1`);
    expect(status).toBe(200);
    expect(body.changes.length).toBeGreaterThan(5);
    expect(await exportsOf(study)).toMatchObject([
      { details: { data: 'changes', filter: { after: 1 }, count: body.latest - 1 } },
    ]);
  });

  test('more than a page behind in a long one, for each person', async () => {
    const study = await sleepStudy();
    await seedCases(study, 3_000);
    const { latest } = (await study.owner.get(`/investigation/${study.id}/changes?limit=1&after=0`)).body;
    const after = latest - 1_100;
    expect(await walk(study, study.owner, after)).toEqual({ pages: 3, latest });
    const entry = { details: { data: 'changes', filter: { after }, count: 1_100 } };
    expect(await exportsOf(study)).toMatchObject([entry]);
    expect((await walk(study, study.editor, after)).pages).toBe(3);
    expect(await exportsOf(study)).toMatchObject([entry, entry]);
    // A walk from further back is another copy, with the rest of its pages.
    await walk(study, study.owner, 1);
    expect(await exportsOf(study)).toMatchObject([entry, entry, { details: { filter: { after: 1 } } }]);
  });
});

test('a long list is counted to its end', async () => {
  const study = await sleepStudy();
  await seedCases(study, 40_001);
  const { text } = await study.owner.get(`/investigation/${study.id}/cases`, csv);
  expect(text.split('\r\n')).toHaveLength(40_003);
  expect(await exportsOf(study)).toMatchObject([{ details: { data: 'cases', count: 40_001 } }]);
});

describe('a download that the log cannot have is not served', () => {
  const requests = (study: Awaited<ReturnType<typeof answeredStudy>>) =>
    [
      [`${study.path}/responses`, csv],
      [`${study.path}/cases`, csv],
      [`${study.path}/compliance`, csv],
      [`${study.path}/activity`, ndjson],
      [`${study.path}/changes?include=body`, {}],
    ] as const;

  test('because the log is full', async () => {
    const study = await answeredStudy();
    const { limits, ...config } = readConfig({ ...env, MAX_ACTIVITIES: '4' });
    const app = createApp(createServices(env), { ...config, limits });
    const ask = async (by: Person, path: string, headers: Record<string, string>) =>
      readChecked('GET', path, await app.request(path, requestOf({ token: by.token, headers })));
    await changingNothing(async () => {
      for (const [path, headers] of requests(study))
        expectProblem(await ask(study.owner, path, headers), 'limit.reached');
      // Pages are read, and a responder's own is theirs.
      expect((await ask(study.owner, `${study.path}/responses?limit=10`, {})).status).toBe(200);
      expect((await ask(study.responder, `${study.path}/responses`, csv)).status).toBe(200);
    });
  });

  test('because nothing can be written', async () => {
    const study = await answeredStudy();
    const end = refuseWrites();
    try {
      for (const [path, headers] of requests(study)) {
        const answer = await study.editor.get(path, headers);
        expect(answer.status).toBe(503);
        expect(answer.text).not.toContain('Night');
      }
    } finally {
      end();
    }
    expect(await exportsOf(study)).toEqual([]);
  });
});
