import { beforeAll, expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { diary, newCase, type Study } from '../support/studies.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

/** Items may say how they are answered: answers are texts, whose form the service checks where an item has a kind. */

const moods = [
  { value: 'calm', label: 'Calm' },
  { value: 'sad', label: 'Sad, or low' },
  { value: '3', label: 'Angry' },
];
const kinds = {
  text: { kind: 'text' },
  number: { kind: 'number' },
  cups: { kind: 'number', min: 0, max: 20.5 },
  weight: { kind: 'number', min: 0 },
  balance: { kind: 'number', max: 0 },
  mood: { kind: 'choice', options: moods },
  moods: { kind: 'choices', options: moods },
  pain: { kind: 'scale', min: -3, max: 10, options: [{ value: '-3', label: 'None' }] },
  dreamt: { kind: 'yes-no' },
  woke: { kind: 'time' },
  born: { kind: 'date' },
} as const;
const items = Object.entries(kinds).map(([identifier, answer]) => ({ identifier, label: '', answer }));

let study: Study;
let night: string;
let path: string;

const newSurvey = async (name: string, asked: object[]) =>
  created(await study.owner.post(`/investigation/${study.id}/survey`, { name, items: asked })).identifier;

beforeAll(async () => {
  study = await sleepStudy();
  night = await newCase(study, study.owner);
  path = `/survey/${await newSurvey('Kinds', items)}`;
});

const answer = (given: object, to = path) =>
  study.responder.post(`${to}/response`, { case: night, items: given });

test('a participant reads how each item of a survey is answered, alone and in the list', async () => {
  expect((await study.responder.get(path)).body.items).toEqual(items);
  const { surveys } = (await study.responder.get(`/investigation/${study.id}/surveys`)).body;
  expect(surveys.find(({ name }: { name: string }) => name === 'Kinds').items).toEqual(items);
});

const accepted: Record<keyof typeof kinds, string[]> = {
  text: ['well', '-', ' '],
  number: ['0', '-7', '2.50', '1e3', '-0.5E-2', '123456789012345678901234567890'],
  cups: ['0', '20.5', '2e1'],
  weight: ['0', '72.4'],
  balance: ['0', '-0.01'],
  mood: ['calm', '3'],
  moods: ['calm', '3 calm', 'sad 3 calm'],
  pain: ['-3', '0', '10'],
  dreamt: ['yes', 'no'],
  woke: ['00:00', '23:59'],
  born: ['1988-02-29', '2027-12-31'],
};
const refused: Record<Exclude<keyof typeof kinds, 'text'>, [string[], expected: string]> = {
  number: [
    ['seven', '7,5', '+7', '.5', '7.', '07', ' 7', '7 ', '1e999', '0x10', 'NaN', 'Infinity', '٧'],
    'Expected a number, with a point before decimals.',
  ],
  cups: [['-0.1', '20.6', '1e2'], 'Expected a number from 0 to 20.5, with a point before decimals.'],
  weight: [['-1'], 'Expected a number of at least 0, with a point before decimals.'],
  balance: [['1'], 'Expected a number of at most 0, with a point before decimals.'],
  mood: [['Calm', 'calm sad', ' calm', 'constructor'], "Expected the value of one of the item's options."],
  moods: [
    ['happy', 'calm calm', 'calm,sad', 'calm  sad', ' calm', '["calm"]'],
    "Expected values of the item's options, each once, separated by a space.",
  ],
  pain: [['-4', '11', '1.0', '1e0', '-0', '01', '+1', ' 1'], 'Expected a whole number from -3 to 10.'],
  dreamt: [['Yes', 'true', '1', 'y'], 'Expected yes or no.'],
  woke: [['24:00', '7:30', '07:30:00', '07.30'], 'Expected a time from 00:00 to 23:59, as HH:MM.'],
  born: [['2027-02-29', '1.3.1988', '88-03-01', '2027-1-1'], 'Expected a date that exists, as YYYY-MM-DD.'],
};

test.each(Object.entries(accepted))('%s: an answer of its form is taken as it is', async (item, texts) => {
  for (const text of ['', ...texts]) {
    const { status, body } = await answer({ [item]: text });
    expect([text, status, body.items]).toEqual([text, 201, { [item]: text }]);
  }
});

test.each(Object.entries(refused))(
  '%s: another answer is refused, and so is a change to it',
  async (item, [texts, expected]) => {
    const { uri: response } = created(await answer({ [item]: '' }));
    await changingNothing(async () => {
      for (const text of texts)
        for (const refusal of [
          await answer({ text: 'x', [item]: text }),
          await study.responder.patch(response, { items: { [item]: text } }),
        ]) {
          expectProblem(refusal, 'request.invalid', [`/items/${item}`]);
          expect(refusal.body.errors[0].detail).toBe(expected);
        }
    });
  },
);

test('a response names all answers that do not fit', async () => {
  const refusal = await answer({ mood: 'merry', text: 'x', woke: 'late', dreamt: 'yes' });
  expectProblem(refusal, 'request.invalid', ['/items/mood', '/items/woke']);
});

test('an item that requires an answer has one in every response, and keeps it', async () => {
  const asked = [
    { identifier: 'mood', label: 'Mood', answer: { kind: 'choice', options: moods, required: true } },
    { identifier: 'why', label: 'Why?', answer: { kind: 'text', required: true } },
    { identifier: 'else', label: 'Anything else?', answer: { kind: 'text', required: false } },
  ];
  const survey = `/survey/${await newSurvey('Required', asked)}`;
  await changingNothing(async () => {
    for (const [given, missing] of [
      [{}, ['mood', 'why']],
      [{ mood: 'sad' }, ['why']],
      [{ mood: '', why: 'x' }, ['mood']],
    ] as const) {
      const refusal = await answer(given, survey);
      const pointers = missing.map((item) => `/items/${item}`);
      expectProblem(refusal, 'request.invalid', pointers);
      expect(refusal.body.errors[0].detail).toBe('Expected an answer: the survey requires one.');
    }
    // A reason says why there is no answer; it is none.
    const body = { case: night, items: { why: 'x' }, reasons: { mood: 1 } };
    expectProblem(await study.responder.post(`${survey}/response`, body), 'request.invalid', ['/items/mood']);
  });

  const { uri: response } = created(await answer({ mood: 'sad', why: 'rain', else: 'no' }, survey));
  await changingNothing(async () => {
    for (const none of ['', null]) {
      const refusal = await study.responder.patch(response, { items: { why: none } });
      expectProblem(refusal, 'request.invalid', ['/items/why']);
    }
  });
  const changed = await study.responder.patch(response, { items: { mood: 'calm', else: null } });
  expect([changed.status, changed.body.items]).toEqual([200, { mood: 'calm', why: 'rain' }]);
});

test('answers given before an item changed stay, until they are changed themselves', async () => {
  const asked = (kind: object) => [
    { identifier: 'mood', label: 'Mood', answer: kind },
    { identifier: 'woke', label: 'Woke up', answer: { kind: 'time' } },
  ];
  const id = await newSurvey('Changing', asked({ kind: 'text' }));
  const survey = `/survey/${id}`;
  const { uri: response } = created(await answer({ mood: 'rather low', woke: '07:00' }, survey));
  await study.owner.patch(survey, { items: asked({ kind: 'choice', options: moods, required: true }) });

  expect((await study.owner.get(response)).body.items.mood).toBe('rather low');
  for (const change of [{ woke: '07:10' }, { mood: 'rather low', woke: '07:20' }])
    expect((await study.responder.patch(response, { items: change })).status).toBe(200);
  for (const mood of ['very low', '', null])
    expectProblem(await study.responder.patch(response, { items: { mood } }), 'request.invalid', [
      '/items/mood',
    ]);
  expect((await study.responder.patch(response, { items: { mood: 'sad' } })).body.items).toEqual({
    mood: 'sad',
    woke: '07:20',
  });

  await study.owner.patch(survey, { items: [] });
  const dropped = await study.responder.patch(response, { items: { mood: 'anything', woke: null } });
  expect(dropped.body.items).toEqual({ mood: 'anything' });
});

test('a repeat finds its response, whatever the items require by now', async () => {
  const id = await newSurvey('Repeated', [{ identifier: 'mood', label: 'Mood' }]);
  const body = { case: night, items: { mood: 'low' }, identifier: '9'.repeat(32) };
  expect((await study.responder.post(`/survey/${id}/response`, body)).status).toBe(201);
  const items = [{ identifier: 'mood', label: 'Mood', answer: { kind: 'yes-no' } }];
  await study.owner.patch(`/survey/${id}`, { items });
  expect((await study.responder.post(`/survey/${id}/response`, body)).status).toBe(200);
});

test('in CSV a negative number is a number, and other text that a spreadsheet would run is neutralised', async () => {
  const of = async (text: string) => {
    const survey = await newSurvey('CSV', diary);
    created(await answer({ q1: text }, `/survey/${survey}`));
    const csv = await study.owner.get(`/investigation/${study.id}/responses?survey=${survey}`, {
      accept: 'text/csv',
    });
    const [header = '', row = ''] = csv.text.split('\r\n');
    return row.split(',')[header.split(',').indexOf('items.q1')];
  };
  expect(await of('-7')).toBe('-7');
  expect(await of('-0.5')).toBe('-0.5');
  for (const text of ['-1e-7', '-2.50', '-1E+20']) expect(await of(text)).toBe(text);
  expect(await of('-1e')).toBe("'-1e");
  expect(await of('-2+3')).toBe("'-2+3");
  expect(await of(`-${'1'.repeat(16)}`)).toBe(`'-${'1'.repeat(16)}`);
});

const option = (value: unknown, label: unknown = 'x') => ({ value, label });
const many = (count: number) => Array.from({ length: count }, (_, n) => option(`v${n}`));

test.each<[string, unknown, string[]]>([
  ['no object', 'text', ['']],
  ['null', null, ['']],
  ['no kind', {}, ['/kind']],
  ['an unknown kind', { kind: 'colour' }, ['/kind']],
  ['an unknown member', { kind: 'text', multiline: true }, ['/multiline']],
  ['options of a text', { kind: 'text', options: moods }, ['/options']],
  ['bounds of a text', { kind: 'text', min: 1, max: 2 }, ['/min', '/max']],
  ['bounds of a choice', { kind: 'choice', options: moods, min: 1 }, ['/min']],
  ['bounds of a time', { kind: 'time', max: 1 }, ['/max']],
  ['options of yes-no', { kind: 'yes-no', options: moods }, ['/options']],
  ['required that is no boolean', { kind: 'date', required: 'yes' }, ['/required']],
  ['a choice without options', { kind: 'choice' }, ['/options']],
  ['choices without options', { kind: 'choices', options: [] }, ['/options']],
  ['101 options', { kind: 'choices', options: many(101) }, ['/options']],
  [
    'a value twice',
    { kind: 'choice', options: [option('a'), option('b'), option('a')] },
    ['/options/2/value'],
  ],
  ['a value with a space', { kind: 'choices', options: [option('a b')] }, ['/options/0/value']],
  ['an empty value', { kind: 'choice', options: [option('')] }, ['/options/0/value']],
  ['no label', { kind: 'choice', options: [{ value: 'a' }] }, ['/options/0/label']],
  ['an empty label', { kind: 'choice', options: [option('a', '')] }, ['/options/0/label']],
  ['a label too long', { kind: 'choice', options: [option('a', 'x'.repeat(501))] }, ['/options/0/label']],
  ['more of an option', { kind: 'choice', options: [{ ...option('a'), score: 1 }] }, ['/options/0/score']],
  ['a scale without bounds', { kind: 'scale' }, ['/min', '/max']],
  ['a scale of fractions', { kind: 'scale', min: 0.5, max: 7 }, ['/min']],
  ['a scale too long', { kind: 'scale', min: 0, max: 1001 }, ['/max']],
  ['a scale upside down', { kind: 'scale', min: 7, max: 1 }, ['/max']],
  ['a scale of one point', { kind: 'scale', min: 1, max: 1 }, ['/max']],
  [
    'labels beside the scale',
    { kind: 'scale', min: 1, max: 5, options: [option('0'), option('5'), option('6')] },
    ['/options/0/value', '/options/2/value'],
  ],
  ['a label of no point', { kind: 'scale', min: 1, max: 5, options: [option('1.5')] }, ['/options/0/value']],
  ['bounds that are texts', { kind: 'number', min: '0' }, ['/min']],
  ['bounds upside down', { kind: 'number', min: 2, max: 1 }, ['/max']],
])('a survey with %s is refused', async (_, rule, pointers) => {
  const asked = [...diary, { identifier: 'q3', label: '', answer: rule }];
  await changingNothing(async () => {
    for (const refusal of [
      await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Naps', items: asked }),
      await study.owner.patch(`/survey/${study.survey}`, { items: asked }),
    ])
      expectProblem(
        refusal,
        'request.invalid',
        pointers.map((pointer) => `/items/2/answer${pointer}`),
      );
  });
});

test('the largest survey is accepted, and one option more is refused', async () => {
  const label = 'x';
  const largest = (options: number) =>
    Array.from({ length: 1000 }, (_, n) => ({
      identifier: `q${n}`,
      label,
      answer:
        n < 20
          ? { kind: 'choices', options: many(options) }
          : { kind: 'number', min: 0, max: 1, required: false },
    }));
  const post = (asked: object[]) =>
    study.owner.post(`/investigation/${study.id}/survey`, { name: 'Largest', items: asked });
  const { identifier } = created(await post(largest(100)));
  expect((await study.responder.get(`/survey/${identifier}`)).body.items).toEqual(largest(100));
  const more = largest(100);
  more[20] = { identifier: 'q20', label, answer: { kind: 'choices', options: many(1) } };
  expectProblem(await post(more), 'request.invalid', ['/items']);
});
