import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../support/chains.ts';

const root = join(import.meta.dirname, '../../..');
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

function verify(entries: Entry[], head?: object, jwks?: object) {
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const args = [write('audit.ndjson', entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))];
  if (head) args.push('--head', write('head.json', JSON.stringify(head)));
  if (jwks) args.push('--jwks', write('jwks.json', JSON.stringify(jwks)));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev/verify.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, out: stdout, error: stderr.replace(/^.*ExperimentalWarning.*\n.*\n/m, '') };
}

it('shares no code with the service', () => {
  for (const file of ['verify.ts', 'verify/chain.ts', 'verify/head.ts'])
    expect(readFileSync(join(root, 'dev', file), 'utf8')).not.toMatch(/from '[./]*(?:src|test)\//);
});

it('finds a whole log whole, with and without a head, and when a name has changed', () => {
  expect(verify(log)).toMatchObject({ status: 0, error: '' });
  expect(verify(log).out).toContain(
    `${study}: ${count} entries, all as they were written. The newest hash is`,
  );
  expect(verify(log, headOf(log.at(-1)), keySet)).toMatchObject({ status: 0, error: '' });
  expect(verify(log, headOf(log[7]), keySet)).toMatchObject({ status: 0 });
  const renamed = log.map((entry) => ({ ...entry, actorName: 'Ada Lovelace' }));
  expect(verify(renamed)).toMatchObject({ status: 0 });
  expect(verify([])).toMatchObject({ status: 0 });
});

describe('a log that was changed at position 5', () => {
  const at = 5;
  const edited = (change: object) => log.with(at - 1, { ...log[at - 1], ...change });
  const changes: [string, () => Entry[] | Promise<Entry[]>][] = [
    ['an edited reason', () => edited({ reason: 'never mind' })],
    ['an edited time', () => edited({ at: '2027-03-01T08:00:00.001Z' })],
    ['an edited list', () => edited({ cases: [] })],
    ['an edited detail', () => edited({ details: { before: { b: null, a: 2 }, after: {} } })],
    ['a field put in', () => edited({ signature: { name: 'Eve', meaning: 'x', at: 'y' } })],
    ['an edited hash', () => edited({ hash: 'f'.repeat(64) })],
    ['one removed', () => log.toSpliced(at - 1, 1)],
    [
      'one removed, the rest moved up',
      () => log.toSpliced(at - 1, 1).map((e, n) => ({ ...e, position: n + 1 })),
    ],
    ['two swapped', () => log.toSpliced(at - 1, 2, log[at], log[at - 1])],
    [
      'two swapped, and their positions',
      () => log.toSpliced(at - 1, 2, { ...log[at], position: at }, { ...log[at - 1], position: at + 1 }),
    ],
    ['one put in', () => log.toSpliced(at - 1, 0, { ...log[2], position: at })],
    ['one repeated', () => log.toSpliced(at - 1, 0, log[at - 2])],
    ['one of another study', () => edited({ investigation: `investigation/${'00'.repeat(16)}` })],
    ['a line that is no JSON object', () => log.with(at - 1, null)],
  ];
  it.each(changes)('%s is found there', async (_, change) => {
    const { status, out, error } = verify(await change());
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(error).toMatch(new RegExp(`^position ${at}: `));
  });

  it('is found one later when the hash of the edited entry was made anew', async () => {
    const [one] = await chained([...log.slice(0, at - 1), { ...log[at - 1], reason: 'x' }], at).then((all) =>
      all.slice(-1),
    );
    expect(verify(log.with(at - 1, one)).error).toMatch(new RegExp(`^position ${at + 1}: `));
  });

  it('is found by a head that was kept when everything after it was hashed anew', async () => {
    const rebuilt = await chained(log.with(at - 1, { ...log[at - 1], reason: 'x' }), at);
    expect(verify(rebuilt)).toMatchObject({ status: 0 });
    expect(verify(rebuilt, headOf(log[8]), keySet).error).toMatch(/^position 9: .* rebuilt/);
  });
});

describe('the end cut off', () => {
  it('shows with a head, and only with it', () => {
    const cut = log.slice(0, 9);
    expect(verify(cut)).toMatchObject({ status: 0 });
    expect(verify(cut, headOf(log.at(-1))).error).toMatch(/^position 10: the log was cut off here/);
    expect(verify([], headOf(log.at(-1))).error).toMatch(/^position 1: the log was cut off here/);
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
  ])('%s is refused', (_, head, message) => {
    const { status, error } = verify(log, head(), keySet);
    expect(status).toBe(1);
    expect(error).toMatch(message);
  });
});

it('without a file it tells how it is used', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'dev/verify.ts')], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^Usage: npm run verify/m);
});
