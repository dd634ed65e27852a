import { beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/errors.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { send, sleepStudy } from '../support/worker/world.ts';

let study: Study;
let night: string;
let answered: string;
let foreign: string;

beforeAll(async () => {
  study = await sleepStudy();
  night = await newCase(study, study.owner);
  answered = await newResponse(study, study.owner, night);
  const elsewhere = await sleepStudy();
  foreign = await newCase(elsewhere, elsewhere.owner);
});

const of = (...ids: string[]) => ids.map((identifier) => ({ identifier }));
const fresh = (n: number) => Array.from({ length: n }, (_, k) => k.toString(16).padStart(32, '0'));

/** A body, the pointers of its faults, and the problem unless it is `request.invalid`. */
type Row = [name: string, body: () => unknown, pointers: string[], code?: ProblemCode];

const statuses = [
  ['lock-items', 'locked', 'archived'],
  ['archive-items', 'archived', 'locked'],
  ['delete-items', 'deleted', 'unlocked'],
] as const;

describe.each(statuses)('%s', (route, status, foreignStatus) => {
  const rows: Row[] = [
    ['neither list', () => ({ status }), ['']],
    ['empty lists', () => ({ cases: [], responses: [], status }), ['']],
    [
      '1,001 identifiers in two lists, double ones among them',
      () => ({ cases: of(...fresh(500), night), responses: of(...fresh(500)), status }),
      [''],
    ],
    ['lists that are null', () => ({ cases: null, responses: null, status }), ['/cases', '/responses']],
    ['a list that is an object', () => ({ cases: { identifier: night }, status }), ['/cases']],
    ['bare identifiers', () => ({ cases: [night], status }), ['/cases/0']],
    [
      'an unknown field of an item',
      () => ({ cases: [{ identifier: night, hidden: true }], status }),
      ['/cases/0/hidden'],
    ],
    ['an item without identifier', () => ({ cases: [{}], status }), ['/cases/0/identifier']],
    [
      'identifiers that are none',
      () => ({
        cases: [
          night.toUpperCase(),
          night.slice(1),
          `${night}0`,
          'g'.repeat(32),
          `${night}\n`,
          `${night.slice(1)}\0`,
          5,
          null,
        ].map((identifier) => ({ identifier })),
        status,
      }),
      Array.from({ length: 8 }, (_, n) => `/cases/${n}/identifier`),
    ],
    [
      'an unknown identifier',
      () => ({ cases: of(night, '0'.repeat(32)), status }),
      ['/cases/1/identifier'],
      'items.not-found',
    ],
    [
      'an identifier of another study',
      () => ({ cases: of(foreign, night), status }),
      ['/cases/0/identifier'],
      'items.not-found',
    ],
    [
      'a case among the responses',
      () => ({ responses: of(night), status }),
      ['/responses/0/identifier'],
      'items.not-found',
    ],
    ...[foreignStatus, 'LOCKED', null, ['locked'], undefined].map(
      (wrong): Row => [
        `the status ${JSON.stringify(wrong)}`,
        () => ({ cases: of(night), status: wrong }),
        ['/status'],
      ],
    ),
    ['an unknown field', () => ({ cases: of(night), status, 'a/b~c': 1 }), ['/a~1b~0c']],
    [
      'a field __proto__',
      () => `{"cases":[{"identifier":"${night}"}],"status":"${status}","__proto__":{"x":1}}`,
      ['/__proto__'],
    ],
    ...['', 'x'.repeat(501), 'a\0b', ['x']].map(
      (reason): Row => [
        `the reason ${JSON.stringify(reason).slice(0, 9)}`,
        () => ({ cases: of(night), status, reason }),
        ['/reason'],
      ],
    ),
  ];
  test.each(rows)('%s', async (_, body, pointers, code = 'request.invalid') => {
    const path = `/investigation/${study.id}/${route}`;
    await changingNothing(async () => expectProblem(await study.owner.post(path, body()), code, pointers));
  });
});

describe('every route that takes a body', () => {
  const routes = () =>
    [
      ['POST', `/investigation/${study.id}/lock-items`],
      ['POST', `/investigation/${study.id}/archive-items`],
      ['POST', `/investigation/${study.id}/delete-items`],
      ['POST', `/investigation/${study.id}/case`],
      ['PATCH', `/case/${night}`],
      ['POST', `/survey/${study.survey}/response`],
      ['PATCH', `/response/${answered}`],
    ] as const;
  const headers = (type?: string) => ({
    authorization: `Bearer ${study.owner.token}`,
    ...(type !== undefined && { 'content-type': type }),
  });
  const json = 'application/json';

  const malformed = ['{"cases":[', ' ', '{}{}', '{"status":"locked",}', '{"status":NaN}'];
  const unreadable = [
    [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
    [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
  ];
  const invalid = {
    null: 'null',
    'a list': '[]',
    'a text': '"locked"',
    'lists 100,000 deep': '['.repeat(100_000) + ']'.repeat(100_000),
    'objects 100,000 deep': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'lists 500,000 deep that do not end': '['.repeat(500_000),
    '25,000 unknown fields': JSON.stringify(Object.fromEntries(fresh(25_000).map((key) => [key, 1]))),
  };
  const bodies: [string, string | undefined, BodyInit, ProblemCode][] = [
    ...[...malformed, ...unreadable.map((bytes) => new Uint8Array(bytes))].map(
      (body): (typeof bodies)[number] => [`malformed: ${body}`, json, body, 'request.malformed-json'],
    ),
    ...Object.entries(invalid).map(([name, body]): (typeof bodies)[number] => [
      name,
      json,
      body,
      'request.invalid',
    ]),
    ['1 MiB and a byte', json, `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}`, 'request.too-large'],
    ['5 MB that are not JSON at all', json, '{'.repeat(5_000_000), 'request.too-large'],
    ['5 MB of a type that is refused', 'text/plain', 'x'.repeat(5_000_000), 'request.too-large'],
    ['no content type', undefined, new TextEncoder().encode('{}'), 'request.not-json'],
    ['plain text', 'text/plain', '{}', 'request.not-json'],
    ['a form', 'application/x-www-form-urlencoded', 'status=locked', 'request.not-json'],
    ['a type that only begins like JSON', 'application/jsonp', '{}', 'request.not-json'],
  ];
  test.each(bodies)('%s', async (_, type, body, code) => {
    await changingNothing(async () => {
      for (const [method, path] of routes()) {
        const answer = await send(path, { method, headers: headers(type), body });
        expectProblem(answer, code);
        expect(answer.text.length, 'the answer is no echo').toBeLessThan(300_000);
      }
    });
  });

  test('a stream of 5 MB is cut off before it is parsed', async () => {
    let sent = 0;
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length;
        if (sent > 5_000_000) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const answer = await send(`/investigation/${study.id}/lock-items`, {
      method: 'POST',
      headers: headers(json),
      body,
    });
    expectProblem(answer, 'request.too-large');
  });

  test('a body of exactly 1 MiB is read', async () => {
    const frame = JSON.stringify({ label: 'x', pad: '' });
    const body = JSON.stringify({ label: 'x', pad: 'x'.repeat(1024 * 1024 - frame.length) });
    expect(body.length).toBe(1024 * 1024);
    const answer = await study.owner.post(`/investigation/${study.id}/case`, body);
    expectProblem(answer, 'request.invalid', ['/pad']);
  });

  test.each([`${json}; charset=utf-8`, 'application/merge-patch+json', 'APPLICATION/JSON'])(
    '%s is JSON',
    async (type) => {
      const answer = await send(`/case/${night}`, {
        method: 'PATCH',
        headers: headers(type),
        body: '{}',
      });
      expect(answer.status, answer.text).toBe(200);
    },
  );
});

test.each<Row>([
  ['an empty label', () => ({ label: '' }), ['/label']],
  ['a label of 501 characters', () => ({ label: 'x'.repeat(501) }), ['/label']],
  ['a label with NUL', () => ({ label: 'a\0' }), ['/label']],
  ['a label with half a surrogate pair', () => '{"label":"\\udc00x"}', ['/label']],
  ['a label that is a number', () => ({ label: 5 }), ['/label']],
  ['hidden as null', () => ({ label: 'x', hidden: null }), ['/hidden']],
  ['a field of the answer', () => ({ label: 'x', lockedAt: '2027-01-01T00:00:00.000Z' }), ['/lockedAt']],
  ['a field __proto__', () => '{"label":"x","__proto__":{"hidden":true}}', ['/__proto__']],
])('a case with %s', async (_, body, pointers) => {
  await changingNothing(async () => {
    for (const answer of [
      await study.owner.post(`/investigation/${study.id}/case`, body()),
      await study.owner.patch(`/case/${night}`, body()),
    ])
      expectProblem(answer, 'request.invalid', pointers);
  });
});

describe('responses', () => {
  const raw = (items: string) => () => `{"case":"${night}","items":${items}}`;
  const withItems = (items: unknown) => () => ({ case: night, items });
  const rows: Row[] = [
    ['no case', () => ({ items: {} }), ['/case']],
    ['no items', () => ({ case: night }), ['/items']],
    ['a case in upper case', () => ({ case: night.toUpperCase(), items: {} }), ['/case']],
    ['a case of another study', () => ({ case: foreign, items: {} }), ['/case'], 'items.not-found'],
    ['items as a list', withItems(['well']), ['/items']],
    ['an answer that is null', withItems({ q1: null }), ['/items/q1']],
    ['an answer that is an object', withItems({ q1: { a: 1 } }), ['/items/q1']],
    ['an item that the survey lacks', withItems({ q3: '' }), ['/items/q3']],
    ['an item whose name is none', withItems({ 'a b/~': '' }), ['/items/a b~1~0']],
    ['an item __proto__', raw('{"__proto__":"x"}'), ['/items/__proto__']],
    ['an item __proto__ in other letters', raw('{"\\u005f_proto__":"x"}'), ['/items/__proto__']],
    ['an item constructor', raw('{"constructor":"x"}'), ['/items/constructor']],
    ['an answer with NUL', withItems({ q1: '\0' }), ['/items/q1']],
    ['an answer with half a surrogate pair', raw('{"q1":"\\ud800"}'), ['/items/q1']],
    ['an item name with half a surrogate pair', raw('{"\\ud800":"x"}'), ['/items/\ud800']],
    ['an answer of 64,001 characters', withItems({ q1: 'x'.repeat(64_001) }), ['/items/q1']],
    ...['1', 1.5, 2 ** 31].map(
      (q1): Row => [
        `the reason ${JSON.stringify(q1)}`,
        () => ({ case: night, items: {}, reasons: { q1 } }),
        ['/reasons/q1'],
      ],
    ),
    ['a responder', () => ({ case: night, items: {}, responder: study.other.id }), ['/responder']],
  ];
  test.each(rows)('%s', async (_, body, pointers, code = 'request.invalid') => {
    await changingNothing(async () =>
      expectProblem(await study.owner.post(`/survey/${study.survey}/response`, body()), code, pointers),
    );
  });

  test.each<[string, unknown, string]>([
    ['items as null', { items: null }, '/items'],
    ['an answer that is a number', { items: { q1: 1 } }, '/items/q1'],
    ['an item __proto__', '{"items":{"__proto__":null}}', '/items/__proto__'],
    ['an item that the survey lacks', { reasons: { q3: 1 } }, '/reasons/q3'],
    ['another case', { case: '0'.repeat(32) }, '/case'],
    ['a lock', { lockedAt: null }, '/lockedAt'],
  ])('PATCH with %s', async (_, body, pointer) => {
    await changingNothing(async () =>
      expectProblem(await study.owner.patch(`/response/${answered}`, body), 'request.invalid', [pointer]),
    );
  });

  test('a response that grows edit by edit is refused before the database refuses it', async () => {
    const large = await sleepStudy();
    const items = Array.from({ length: 40 }, (_, n) => ({ identifier: `q${n}`, label: '' }));
    await large.owner.patch(`/survey/${large.survey}`, { items });
    const id = await newResponse(large, large.owner, await newCase(large, large.owner), {});
    // Three bytes a character: 64,000 characters are 192,000 bytes.
    const answers: number[] = [];
    for (let n = 0; n < 7; n++) {
      const answer = await large.owner.patch(`/response/${id}`, {
        items: { [`q${n}`]: '字'.repeat(64_000) },
      });
      answers.push(answer.status);
      if (answer.status !== 200) expectProblem(answer, 'request.invalid', ['/items']);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 400, 400]);
  });

  test('text of every script goes in and comes out as it is', async () => {
    const q1 = 'Ünïcødé 字 🙂 \u2028 \u202e "quoted" \\ \n\t <script>';
    const answer = await study.owner.patch(`/response/${answered}`, { items: { q1 } });
    expect(answer.body.items.q1).toBe(q1);
    expect((await study.owner.get(`/response/${answered}`)).body.items.q1).toBe(q1);
  });
});

test('a malformed identifier in a path is not found', async () => {
  const { owner } = study;
  const ids = [night.toUpperCase(), 'x', '%00', '%E0%A4%A', '%ff', '..%2f', "'", '__proto__', `${night}%20`];
  await changingNothing(async () => {
    for (const id of ids) {
      const answers = await Promise.all([
        owner.get(`/case/${id}`),
        owner.get(`/response/${id}`),
        owner.get(`/response/${id}/revisions`),
        owner.get(`/investigation/${id}/cases`),
        owner.get(`/investigation/${id}/responses`),
        owner.get(`/investigation/${id}/activity`),
        owner.get(`/investigation/${id}/activity/verify`),
        owner.patch(`/case/${id}`, {}),
        owner.patch(`/response/${id}`, {}),
        owner.post(`/survey/${id}/response`, { case: night, items: {} }),
        owner.post(`/investigation/${id}/case`, { label: 'x' }),
        owner.post(`/investigation/${id}/lock-items`, { cases: of(night), status: 'locked' }),
      ]);
      for (const answer of answers) expectProblem(answer, 'resource.not-found');
    }
  });
});
