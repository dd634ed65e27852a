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

interface Row {
  name: string;
  body: () => unknown;
  code?: ProblemCode;
  pointers?: string[];
}

const statuses = {
  'lock-items': ['locked', 'unlocked'],
  'archive-items': ['archived', 'active'],
  'delete-items': ['deleted', 'active'],
} as const;

describe.each(Object.entries(statuses))('%s', (route, [there]) => {
  const path = () => `/investigation/${study.id}/${route}`;
  const foreignStatuses = [
    'locked',
    'unlocked',
    'archived',
    'deleted',
    'active',
    'LOCKED',
    '',
    null,
    1,
    ['locked'],
  ].filter((status) => !(statuses[route as keyof typeof statuses] as readonly unknown[]).includes(status));
  const rows: Row[] = [
    { name: 'neither list', body: () => ({ status: there }), pointers: [''] },
    { name: 'empty lists', body: () => ({ cases: [], responses: [], status: there }), pointers: [''] },
    { name: 'one empty list', body: () => ({ cases: [], status: there }), pointers: [''] },
    {
      name: '1,001 identifiers in one list',
      body: () => ({ cases: of(...fresh(1001)), status: there }),
      pointers: [''],
    },
    {
      name: '1,001 identifiers in two lists, double ones among them',
      body: () => ({ cases: of(...fresh(500), night), responses: of(...fresh(500)), status: there }),
      pointers: [''],
    },
    {
      name: 'lists that are null',
      body: () => ({ cases: null, responses: null, status: there }),
      pointers: ['/cases', '/responses'],
    },
    {
      name: 'a list that is an object',
      body: () => ({ cases: { identifier: night }, status: there }),
      pointers: ['/cases'],
    },
    { name: 'bare identifiers', body: () => ({ cases: [night], status: there }), pointers: ['/cases/0'] },
    {
      name: 'an unknown field of an item',
      body: () => ({ cases: [{ identifier: night, hidden: true }], status: there }),
      pointers: ['/cases/0/hidden'],
    },
    {
      name: 'an item without identifier',
      body: () => ({ cases: [{}], status: there }),
      pointers: ['/cases/0/identifier'],
    },
    {
      name: 'identifiers that are none',
      body: () => ({
        cases: of(
          night,
          night.toUpperCase(),
          night.slice(1),
          `${night}0`,
          'g'.repeat(32),
          `${night}\n`,
          '',
          `${night.slice(1)}\0`,
        ),
        responses: [{ identifier: 5 }, { identifier: null }],
        status: there,
      }),
      pointers: [
        ...[1, 2, 3, 4, 5, 6, 7].map((n) => `/cases/${n}/identifier`),
        '/responses/0/identifier',
        '/responses/1/identifier',
      ],
    },
    {
      name: 'an unknown identifier',
      body: () => ({ cases: of(night, '0'.repeat(32)), status: there }),
      code: 'items.not-found',
      pointers: ['/cases/1/identifier'],
    },
    {
      name: 'an identifier of another study',
      body: () => ({ cases: of(foreign, night), status: there }),
      code: 'items.not-found',
      pointers: ['/cases/0/identifier'],
    },
    {
      name: 'a case among the responses',
      body: () => ({ responses: of(night), status: there }),
      code: 'items.not-found',
      pointers: ['/responses/0/identifier'],
    },
    { name: 'no status', body: () => ({ cases: of(night) }), pointers: ['/status'] },
    ...foreignStatuses.map((status) => ({
      name: `the status ${JSON.stringify(status)}`,
      body: () => ({ cases: of(night), status }),
      pointers: ['/status'],
    })),
    {
      name: 'an unknown field',
      body: () => ({ cases: of(night), status: there, 'a/b~c': 1 }),
      pointers: ['/a~1b~0c'],
    },
    {
      name: 'a field __proto__',
      body: () => `{"cases":[{"identifier":"${night}"}],"status":"${there}","__proto__":{"x":1}}`,
      pointers: ['/__proto__'],
    },
    {
      name: 'an empty reason',
      body: () => ({ cases: of(night), status: there, reason: '' }),
      pointers: ['/reason'],
    },
    {
      name: 'a reason of 501 characters',
      body: () => ({ cases: of(night), status: there, reason: 'x'.repeat(501) }),
      pointers: ['/reason'],
    },
    {
      name: 'a reason with NUL',
      body: () => ({ cases: of(night), status: there, reason: 'a\0b' }),
      pointers: ['/reason'],
    },
    {
      name: 'a reason with half a surrogate pair',
      body: () => `{"cases":[{"identifier":"${night}"}],"status":"${there}","reason":"\\ud83d"}`,
      pointers: ['/reason'],
    },
    {
      name: 'a reason that is a list',
      body: () => ({ cases: of(night), status: there, reason: ['x'] }),
      pointers: ['/reason'],
    },
  ];
  test.each(rows)('$name', async ({ body, code = 'request.invalid', pointers }) => {
    await changingNothing(async () => expectProblem(await study.owner.post(path(), body()), code, pointers));
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

  const bodies: [string, string | undefined, () => BodyInit, ProblemCode][] = [
    ['malformed JSON', json, () => '{"cases":[', 'request.malformed-json'],
    ['nothing, declared as JSON', json, () => ' ', 'request.malformed-json'],
    ['two documents', json, () => '{}{}', 'request.malformed-json'],
    ['a trailing comma', json, () => '{"status":"locked",}', 'request.malformed-json'],
    ['NaN', json, () => '{"status":NaN}', 'request.malformed-json'],
    [
      'bytes that are not UTF-8',
      json,
      () => new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      'request.malformed-json',
    ],
    ['UTF-16', json, () => new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 'request.malformed-json'],
    ['null', json, () => 'null', 'request.invalid'],
    ['a list', json, () => '[]', 'request.invalid'],
    ['a text', json, () => '"locked"', 'request.invalid'],
    ['a number', json, () => '5', 'request.invalid'],
    ['lists 100,000 deep', json, () => '['.repeat(100_000) + ']'.repeat(100_000), 'request.invalid'],
    [
      'objects 100,000 deep',
      json,
      () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      'request.invalid',
    ],
    ['lists 500,000 deep that do not end', json, () => '['.repeat(500_000), 'request.invalid'],
    [
      '50,000 unknown fields',
      json,
      () => JSON.stringify(Object.fromEntries(fresh(25_000).map((key) => [key, 1]))),
      'request.invalid',
    ],
    ['1 MiB and a byte', json, () => `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}`, 'request.too-large'],
    ['5 MB', json, () => `{"a":"${'x'.repeat(5_000_000)}"}`, 'request.too-large'],
    ['5 MB that are not JSON at all', json, () => '{'.repeat(5_000_000), 'request.too-large'],
    ['5 MB of a type that is refused', 'text/plain', () => 'x'.repeat(5_000_000), 'request.too-large'],
    ['no content type', undefined, () => new TextEncoder().encode('{}'), 'request.not-json'],
    ['plain text', 'text/plain', () => '{}', 'request.not-json'],
    ['a form', 'application/x-www-form-urlencoded', () => 'status=locked', 'request.not-json'],
    ['a type that only begins like JSON', 'application/jsonp', () => '{}', 'request.not-json'],
  ];
  test.each(bodies)('%s', async (_, type, body, code) => {
    const sent = body();
    await changingNothing(async () => {
      for (const [method, path] of routes()) {
        const answer = await send(path, { method, headers: headers(type), body: sent });
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

describe('cases', () => {
  const rows: Row[] = [
    { name: 'a label that is null', body: () => ({ label: null }), pointers: ['/label'] },
    { name: 'an empty label', body: () => ({ label: '' }), pointers: ['/label'] },
    { name: 'a label of 501 characters', body: () => ({ label: 'x'.repeat(501) }), pointers: ['/label'] },
    { name: 'a label with NUL', body: () => ({ label: 'a\0' }), pointers: ['/label'] },
    { name: 'a label with half a surrogate pair', body: () => '{"label":"\\udc00x"}', pointers: ['/label'] },
    { name: 'a label that is a number', body: () => ({ label: 5 }), pointers: ['/label'] },
    { name: 'hidden as text', body: () => ({ label: 'x', hidden: 'true' }), pointers: ['/hidden'] },
    { name: 'hidden as null', body: () => ({ label: 'x', hidden: null }), pointers: ['/hidden'] },
    {
      name: 'a field of the answer',
      body: () => ({ label: 'x', lockedAt: '2027-01-01T00:00:00.000Z' }),
      pointers: ['/lockedAt'],
    },
    { name: 'a status', body: () => ({ label: 'x', status: 'active' }), pointers: ['/status'] },
    {
      name: 'a field __proto__',
      body: () => '{"label":"x","__proto__":{"hidden":true}}',
      pointers: ['/__proto__'],
    },
  ];
  test.each(rows)('$name', async ({ body, pointers }) => {
    await changingNothing(async () => {
      expectProblem(
        await study.owner.post(`/investigation/${study.id}/case`, body()),
        'request.invalid',
        pointers,
      );
      if (pointers?.[0] !== '/label' || typeof body() === 'string' || 'label' in (body() as object))
        expectProblem(await study.owner.patch(`/case/${night}`, body()), 'request.invalid', pointers);
    });
  });

  test.each([
    'ABCDEF'.padEnd(32, '0'),
    'abc',
    'g'.repeat(32),
    '',
    5,
    null,
    'a'.repeat(31),
    `${'a'.repeat(32)} `,
  ])('the chosen identifier %j', async (identifier) => {
    await changingNothing(async () => {
      const path = `/investigation/${study.id}/case`;
      expectProblem(await study.owner.post(path, { label: 'x', identifier }), 'request.invalid', [
        '/identifier',
      ]);
      const response = { case: night, items: {}, identifier };
      const survey = `/survey/${study.survey}/response`;
      expectProblem(await study.owner.post(survey, response), 'request.invalid', ['/identifier']);
    });
  });
});

describe('responses', () => {
  const raw = (items: string) => `{"case":"${night}","items":${items}}`;
  const rows: Row[] = [
    { name: 'no case', body: () => ({ items: {} }), pointers: ['/case'] },
    { name: 'no items', body: () => ({ case: night }), pointers: ['/items'] },
    {
      name: 'a case in upper case',
      body: () => ({ case: night.toUpperCase(), items: {} }),
      pointers: ['/case'],
    },
    {
      name: 'a case of another study',
      body: () => ({ case: foreign, items: {} }),
      code: 'items.not-found',
      pointers: ['/case'],
    },
    { name: 'items as a list', body: () => ({ case: night, items: ['well'] }), pointers: ['/items'] },
    { name: 'items as null', body: () => ({ case: night, items: null }), pointers: ['/items'] },
    {
      name: 'an answer that is a number',
      body: () => ({ case: night, items: { q1: 5 } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'an answer that is null',
      body: () => ({ case: night, items: { q1: null } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'an answer that is an object',
      body: () => ({ case: night, items: { q1: { a: 1 } } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'an item that the survey lacks',
      body: () => ({ case: night, items: { q3: '' } }),
      pointers: ['/items/q3'],
    },
    {
      name: 'an item whose name is none',
      body: () => ({ case: night, items: { 'a b/~': '' } }),
      pointers: ['/items/a b~1~0'],
    },
    { name: 'an item __proto__', body: () => raw('{"__proto__":"x"}'), pointers: ['/items/__proto__'] },
    {
      name: 'an item __proto__ in other letters',
      body: () => raw('{"\\u005f_proto__":"x"}'),
      pointers: ['/items/__proto__'],
    },
    { name: 'an item constructor', body: () => raw('{"constructor":"x"}'), pointers: ['/items/constructor'] },
    {
      name: 'an answer with NUL',
      body: () => ({ case: night, items: { q1: '\0' } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'an answer with half a surrogate pair',
      body: () => raw('{"q1":"\\ud800"}'),
      pointers: ['/items/q1'],
    },
    {
      name: 'an item name with half a surrogate pair',
      body: () => raw('{"\\ud800":"x"}'),
      pointers: ['/items/\ud800'],
    },
    {
      name: 'an answer of 1 MB',
      body: () => ({ case: night, items: { q1: 'x'.repeat(1_000_000) } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'an answer of 64,001 characters',
      body: () => ({ case: night, items: { q1: 'x'.repeat(64_001) } }),
      pointers: ['/items/q1'],
    },
    {
      name: 'a reason that is text',
      body: () => ({ case: night, items: {}, reasons: { q1: '1' } }),
      pointers: ['/reasons/q1'],
    },
    {
      name: 'a reason that is a fraction',
      body: () => ({ case: night, items: {}, reasons: { q1: 1.5 } }),
      pointers: ['/reasons/q1'],
    },
    {
      name: 'a reason beyond 32 bits',
      body: () => ({ case: night, items: {}, reasons: { q1: 2 ** 31 } }),
      pointers: ['/reasons/q1'],
    },
    {
      name: 'a responder',
      body: () => ({ case: night, items: {}, responder: study.other.id }),
      pointers: ['/responder'],
    },
  ];
  test.each(rows)('$name', async ({ body, code = 'request.invalid', pointers }) => {
    await changingNothing(async () =>
      expectProblem(await study.owner.post(`/survey/${study.survey}/response`, body()), code, pointers),
    );
  });

  test.each<[string, unknown, string]>([
    ['items as null', { items: null }, '/items'],
    ['an answer that is a number', { items: { q1: 1 } }, '/items/q1'],
    ['an item __proto__', '{"items":{"__proto__":null}}', '/items/__proto__'],
    ['an answer of 1 MB', { items: { q1: 'x'.repeat(1_000_000) } }, '/items/q1'],
    ['an answer with NUL', { items: { q1: '\0' } }, '/items/q1'],
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

test.each<[string, object]>([
  ['50,000 elements', { status: 'locked', cases: Array.from({ length: 50_000 }, () => 0) }],
  ['60,000 unknown fields', Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`field${n}`, 0]))],
])('a body of %s is refused before any of them is looked at', async (_, body) => {
  await changingNothing(async () => {
    const answer = await study.owner.post(`/investigation/${study.id}/lock-items`, body);
    expectProblem(answer, 'request.invalid', ['']);
    expect(answer.body.errors).toEqual([
      { pointer: '', detail: 'Too many values: expected at most 2000 in a list or an object.' },
    ]);
  });
});
