import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify as run } from '../../tools/verify/verify.ts';
import { hashOf, sha256 } from '../support/chains.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const count = 12;
const study = `investigation/${'ab'.repeat(16)}`;

// biome-ignore lint/suspicious/noExplicitAny: entries of any shape
type Entry = any;

/** Gives entries positions and hashes, from the position `from` on. */
async function chained(entries: Entry[], from = 1) {
  let previous = from > 1 ? entries[from - 2].hash : '0'.repeat(64);
  for (let n = from - 1; n < entries.length; n++) {
    const { hash: _, actorName, ...entry } = { ...entries[n], position: n + 1 };
    previous = await hashOf(previous, entry);
    entries[n] = { ...entry, actorName, hash: previous };
  }
  return entries;
}

let log: Entry[];
beforeAll(async () => {
  log = await chained(
    Array.from({ length: count }, (_, n) => ({
      identifier: n.toString(16).padStart(32, '0'),
      investigation: study,
      at: '2027-03-01T08:00:00.000Z',
      actor: 'cd'.repeat(16),
      actorName: 'Ada',
      action: 'items.locked',
      cases: ['ef'.repeat(16)],
      responses: [],
      reason: n % 2 ? 'Zoë — “done”' : 'é\n"',
      details: { before: { b: null, a: 1 }, after: { b: 0.1, a: '\u{1f319}' } },
    })),
  );
});

const keys = generateKeyPairSync('ed25519');
const keySet = {
  keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'EdDSA', use: 'sig' }],
};

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function headOf({ position, hash }: Entry, more: object = {}, key = keys.privateKey, kid = 'one') {
  const said = { investigation: study, position, hash, at: '2027-03-01T09:00:00.000Z' };
  const input = `${encode({ alg: 'EdDSA', kid })}.${encode(said)}`;
  return { ...said, jws: `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`, ...more };
}

function filesOf(entries: Entry[], head?: object, jwks?: object, items: Record<number, string> = {}) {
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const args = [write('audit.ndjson', entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))];
  if (head) args.push('--head', write('head.json', JSON.stringify(head)));
  if (jwks) args.push('--jwks', write('jwks.json', JSON.stringify(jwks)));
  for (const [position, text] of Object.entries(items))
    args.push('--items', `${position}=${write('items.ndjson', text)}`);
  return args;
}

const verify = (...files: Parameters<typeof filesOf>) => run(filesOf(...files));

/** As a command, which costs a process. */
const command = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'tools/verify/main.ts'), ...args], { encoding: 'utf8' });

it('shares no code with the service', () => {
  const folder = join(root, 'tools/verify');
  for (const file of readdirSync(folder))
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/from '[./]*(?:src|test)\//);
});

it('finds a whole log whole, with and without a head, and when a name has changed', async () => {
  expect(await verify(log)).toMatchObject({ status: 0, error: '' });
  expect((await verify(log)).out).toContain(
    `${study}: ${count} entries, all as they were written. The newest hash is`,
  );
  expect(await verify(log, headOf(log.at(-1)), keySet)).toMatchObject({ status: 0, error: '' });
  expect(await verify(log, headOf(log[7]), keySet)).toMatchObject({ status: 0 });
  const renamed = log.map((entry) => ({ ...entry, actorName: 'Ada Lovelace' }));
  expect(await verify(renamed)).toMatchObject({ status: 0 });
  expect(await verify([])).toMatchObject({ status: 0 });
});

describe('the output names everything that a run did not check', () => {
  const names =
    '- The names of people (`actorName`): they may change, and no hash covers them. `actor` is covered.';
  const linesOf = async (...files: Parameters<typeof filesOf>) => {
    const { status, out } = await verify(...files);
    const [first, title, ...rest] = out.split('\n');
    expect([status, first, title]).toEqual([
      0,
      expect.stringContaining('all as they were written'),
      'Not checked:',
    ]);
    return rest;
  };

  it('of a reader who sees a part of the study: the entries that are shown with less', async () => {
    const { actorName: _, reason: __, details: ___, ...part } = log[3];
    const shown = [...log];
    shown[3] = { ...part, cases: [], actor: '0'.repeat(32), actorName: '', redacted: true };
    const { status, out } = await verify(shown, headOf(log.at(-1)), keySet);
    expect(status).toBe(0);
    expect(out).toContain(`${count} entries, the ${count - 1} that are shown whole as they were written`);
    expect(out).toContain(
      '- The content of one entry of which the reader sees a part (`redacted`), and that none of them was put in or edited: let an owner check the whole log.',
    );
    // It is a link all the same: neither it nor its neighbours are put in, moved or left out.
    for (const broken of [
      shown.with(3, { ...shown[3], hash: 'f'.repeat(64) }),
      shown.with(3, { ...shown[3], hash: 'short' }),
      shown.with(3, { ...shown[3], position: 5 }),
      shown.with(3, { ...shown[3], redacted: 'yes' }),
      shown.toSpliced(3, 1),
      shown.with(5, { ...shown[5], reason: 'edited' }),
    ])
      expect((await verify(broken)).status).toBe(1);
    const items = { 4: JSON.stringify({ cases: [], responses: [] }) };
    expect(await verify(shown, undefined, undefined, items)).toMatchObject({
      status: 1,
      error: expect.stringContaining('shows a part of this entry'),
    });
  });

  it('without a head: the end, and whether the log was rebuilt', async () => {
    expect(await linesOf(log)).toEqual([
      names,
      '- Whether entries are missing at the end, or all of the log was rebuilt: give a head (--head).',
    ]);
  });

  it('with a head and no keys: who signed it', async () => {
    expect(await linesOf(log, headOf(log.at(-1)))).toEqual([
      names,
      '- Whether entries were written after position 12, where log and head end.',
      '- Whether the service signed the head: anybody can write one. Give its keys (--jwks).',
    ]);
  });

  it('with both: whose keys they are', async () => {
    expect(await linesOf(log, headOf(log.at(-1)), keySet)).toEqual([
      names,
      '- Whether entries were written after position 12, where log and head end.',
      '- Whether the keys are those of the service: get them from its /.well-known/jwks.json yourself.',
    ]);
  });

  it('with an older head: what came after it', async () => {
    const [, after] = await linesOf(log, headOf(log[7]));
    expect(after).toBe(
      '- Whether the 4 entries after position 8, where the head ends, were rebuilt, or others are missing at the end: give a newer head.',
    );
    expect((await linesOf(log, headOf(log[10])))[1]).toMatch(/^- Whether the one entry after position 11/);
  });
});

describe('a log that was changed at position 5', () => {
  const at = 5;
  const edited = (change: object) => log.with(at - 1, { ...log[at - 1], ...change });
  const hash = /the hash does not fit/;
  const putIn = /an entry that says \d+ was put in or moved here/;
  const changes: [string, RegExp, () => Entry[]][] = [
    ['an edited reason', hash, () => edited({ reason: 'never mind' })],
    ['an edited detail', hash, () => edited({ details: { before: { b: null, a: 2 }, after: {} } })],
    ['a field put in', hash, () => edited({ signature: { name: 'Eve', meaning: 'x', at: 'y' } })],
    ['one removed', /it is missing; the next entry says 6/, () => log.toSpliced(at - 1, 1)],
    [
      'one removed, the rest moved up',
      hash,
      () => log.toSpliced(at - 1, 1).map((e, n) => ({ ...e, position: n + 1 })),
    ],
    ['two swapped', /it is missing/, () => log.toSpliced(at - 1, 2, log[at], log[at - 1])],
    [
      'two swapped, and their positions',
      hash,
      () => log.toSpliced(at - 1, 2, { ...log[at], position: at }, { ...log[at - 1], position: at + 1 }),
    ],
    ['one put in', hash, () => log.toSpliced(at - 1, 0, { ...log[2], position: at })],
    ['one repeated', putIn, () => log.toSpliced(at - 1, 0, log[at - 2])],
    [
      'one of another study',
      /is of another study/,
      () => edited({ investigation: `investigation/${'00'.repeat(16)}` }),
    ],
    ['a line that is no JSON object', /not a JSON object/, () => log.with(at - 1, null)],
  ];
  it.each(changes)('%s is found there', async (_, what, change) => {
    const { status, out, error } = await verify(change());
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(error).toMatch(new RegExp(`^position ${at}: `));
    expect(error).toMatch(what);
  });

  it('is found one later when the hash of the edited entry was made anew', async () => {
    const [one] = await chained([...log.slice(0, at - 1), { ...log[at - 1], reason: 'x' }], at).then((all) =>
      all.slice(-1),
    );
    expect((await verify(log.with(at - 1, one))).error).toMatch(new RegExp(`^position ${at + 1}: `));
  });

  it('is found by a head that was kept when everything after it was hashed anew', async () => {
    const rebuilt = await chained(log.with(at - 1, { ...log[at - 1], reason: 'x' }), at);
    expect(await verify(rebuilt)).toMatchObject({ status: 0 });
    expect((await verify(rebuilt, headOf(log[8]), keySet)).error).toMatch(/^position 9: .* rebuilt/);
  });
});

describe('the end cut off', () => {
  it('shows with a head, and only with it', async () => {
    const cut = log.slice(0, 9);
    expect(await verify(cut)).toMatchObject({ status: 0 });
    expect((await verify(cut, headOf(log.at(-1)))).error).toMatch(/^position 10: the log was cut off here/);
    expect((await verify([], headOf(log.at(-1)))).error).toMatch(/^position 1: the log was cut off here/);
  });
});

describe('a head', () => {
  const other = generateKeyPairSync('ed25519');
  it.each([
    [
      'signed by another key',
      () => headOf(log[3], {}, other.privateKey),
      /signature of the head is not valid/,
    ],
    [
      'of a key that is not in the set',
      () => headOf(log[3], {}, keys.privateKey, 'two'),
      /not in the set: two/,
    ],
    [
      'that says something else than was signed',
      () => headOf(log[3], { position: 3, hash: log[2].hash }),
      /says position 3/,
    ],
    ['without a JWS', () => headOf(log[3], { jws: 'x' }), /no readable JWS/],
    [
      'of another study',
      () => ({ ...headOf(log[3]), investigation: 'investigation/x' }),
      /says investigation/,
    ],
    ['that is none', () => ({}), /the head is not one/],
  ])('%s is refused', async (_, head, message) => {
    const { status, error } = await verify(log, head(), keySet);
    expect(status).toBe(1);
    expect(error).toMatch(message);
  });

  it('of the same hash in another study is refused without a key set too', async () => {
    const { status, error } = await verify(log, headOf(log[3], { investigation: 'investigation/x' }));
    expect(status).toBe(1);
    expect(error).toMatch(/^the head is of another study: investigation\/x/);
  });
});

describe('the list of items of an entry', () => {
  const id = (n: number) => n.toString(16).padStart(32, 'a');
  const list = { cases: [id(1), id(2), id(3)], responses: [id(4), id(5)] };
  type List = typeof list;
  const page = ({ cases, responses }: List, next?: string) =>
    JSON.stringify({
      cases: cases.map((identifier) => ({ identifier })),
      responses: responses.map((identifier) => ({ identifier })),
      next,
    });
  /** Position 5 changed what a filter found, position 6 names its items. */
  const changed = async () => {
    const text = [...list.cases, ...list.responses].map((one) => `${one}\n`).join('');
    const items = { cases: 3, responses: 2, sha256: await sha256(text) };
    const kept = { ...log[4], cases: [], details: { filter: {}, items } };
    const named = { ...log[5], cases: list.cases.toReversed(), responses: list.responses };
    return chained(log.with(4, kept).with(5, named), 5);
  };

  it('fits, in one page or in several', async () => {
    const entries = await changed();
    const pages = `${page({ ...list, responses: [] }, 'x')}\n${page({ ...list, cases: [] })}\n`;
    for (const [at, text] of [
      [5, page(list)],
      [5, pages],
      [6, pages],
    ] as const)
      expect(await verify(entries, undefined, undefined, { [at]: text })).toMatchObject({
        status: 0,
        error: '',
      });
  });

  /** The errors of an entry with a digest, and of one that names its items. */
  const digest = /list .* digest/;
  const other: [string, RegExp, RegExp, List][] = [
    [
      'an item edited',
      digest,
      /number 2 of the cases in the list/,
      { ...list, cases: list.cases.with(1, id(9)) },
    ],
    [
      'one removed',
      /list .* has 2 cases/,
      /list .* has 2 cases/,
      { ...list, cases: list.cases.toSpliced(1, 1) },
    ],
    ['two swapped', digest, /number 1 of the cases in the list/, { ...list, cases: [id(2), id(1), id(3)] }],
    [
      'one moved to the other kind',
      /list .* has 2 cases/,
      /list .* has 2 cases/,
      { cases: [id(1), id(2)], responses: [id(3), id(4), id(5)] },
    ],
  ];
  it.each(other)('with %s is found, with the position of its entry', async (_, kept, named, wrong) => {
    const entries = await changed();
    for (const [at, what] of [
      [5, kept],
      [6, named],
    ] as const) {
      const { status, out, error } = await verify(entries, undefined, undefined, { [at]: page(wrong) });
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(error).toMatch(new RegExp(`^position ${at}: `));
      expect(error).toMatch(what);
    }
  });

  it('is said to be unchecked when an entry has only a digest of it, and it was not given', async () => {
    const entries = await changed();
    const said = '- The items of one entry with a digest of them: give the lists (--items).';
    expect((await verify(entries)).out.split('\n')).toContain(said);
    const given = await verify(entries, undefined, undefined, { 5: page(list) });
    expect(given.out).toContain('as they were written');
    expect(given.out).not.toContain('with a digest');
  });

  it('is asked for whole, of an entry that there is', async () => {
    const entries = await changed();
    const errorOf = async (at: number, text: string) =>
      (await verify(entries, undefined, undefined, { [at]: text })).error;
    expect(await errorOf(5, page(list, 'x'))).toMatch(/last page of the items is missing/);
    expect(await errorOf(5, `${page(list)}\n{}`)).toMatch(/line 2 of the items is no page/);
    expect(await errorOf(99, page(list))).toMatch(/^position 99: there is no such entry/);
  });

  it('does not help who changed the digest in the entry too', async () => {
    const entries = await changed();
    const details = { filter: {}, items: { cases: 0, responses: 0, sha256: await sha256('') } };
    const wrong = page({ cases: [], responses: [] });
    const found = await verify(entries.with(4, { ...entries[4], details }), undefined, undefined, {
      5: wrong,
    });
    expect(found.error).toMatch(/^position 5: the hash does not fit/);
  });
});

it('is a command that tells by its exit code, and how it is used', () => {
  const audit = filesOf(log);
  expect(command(...audit)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/as they were written/),
  });
  const cut = command(...audit, '--head', ...filesOf(log, headOf({ ...log[11], position: 13 })).slice(2));
  expect(cut).toMatchObject({ status: 1, stderr: expect.stringMatching(/^position 13: /m) });
  for (const args of [[], [...audit, '--items', 'items.ndjson'], [...audit, '--jwks', 'jwks.json']])
    expect(command(...args)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Usage: npm run verify/m),
    });
});

describe('a log with odd characters', () => {
  const odd = {
    'line separators': 'Visit 3 done.\u2028Checked by KH\u2029',
    'next line, vertical tab, form feed': 'a\u0085b\u000bc\u000cd\re',
    'a null, and quotes': '\u0000 “ "',
  };

  it.each(Object.entries(odd))('is whole: %s', async (_, text) => {
    const entries = await chained(
      log.map((entry, n) =>
        n % 2
          ? { ...entry, reason: text, details: { before: { label: text }, after: { [text]: 1 } } }
          : entry,
      ),
    );
    expect(await verify(entries, headOf(entries[9]), keySet)).toMatchObject({ status: 0, error: '' });
    const edited = entries.with(5, { ...entries[5], reason: `${text} ` });
    expect(await verify(edited)).toMatchObject({ status: 1, error: expect.stringMatching(/^position 6: /) });
  });

  const saved = (text: string) => {
    const path = join(folder, 'saved.ndjson');
    writeFileSync(path, text);
    return run([path]);
  };
  const lines = () => log.map((entry) => JSON.stringify(entry));

  it.each<[string, (lines: string[]) => string]>([
    ['without a line feed at the end', (all) => all.join('\n')],
    ['with the line ends of Windows', (all) => all.map((line) => `${line}\r\n`).join('')],
    ['with the mark of UTF-8', (all) => `\ufeff${all.join('\n')}\n`],
    ['with empty lines at the end', (all) => `${all.join('\n')}\n\n\r\n`],
  ])('is whole when a program saved it %s', async (_, save) => {
    const { status, out, error } = await saved(save(lines()));
    expect([status, error]).toEqual([0, '']);
    expect(out).toContain(`${count} entries, all as they were written`);
  });

  it('is read in pieces that end within a character, and in entries longer than a piece', async () => {
    const entries = await chained(
      log.map((entry, n) => ({ ...entry, reason: n % 3 ? entry.reason : '😴\u2028é'.repeat(40_000) })),
    );
    expect(await verify(entries)).toMatchObject({ status: 0, error: '' });
  });

  it('half a line is no entry', async () => {
    const { status, error } = await saved(lines().join('\n').slice(0, -20));
    expect([status, error]).toEqual([1, `position ${count}: the line is not a JSON object`]);
  });
});
