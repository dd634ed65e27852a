import type { Random } from '../../../support/random.ts';

const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '../../etc/passwd',
  "'; drop table user; --",
  '{{7*7}}',
  '%00',
  '__proto__',
  'constructor',
  '-1',
  '1e309',
  '9'.repeat(40),
  'x'.repeat(300),
  '2027-02-30',
  '24:00',
  'UTC+5',
  '* * * * * *',
  '0 0 31 2 *',
  '5-1 0 * * *',
  '[1,"x"]',
  'WzFd',
];

const values = [null, true, 0, -1, 1.5, 1e300, 2 ** 53, [], {}, [[]], [null], { a: { b: { c: [] } } }];

/** A value that hardly any field expects. */
export const oddValue = (random: Random): unknown =>
  random.chance(0.6) ? random.pick(texts) : random.pick(values);

export const oddText = (random: Random): string => random.pick(texts);

/** The value with something wrong in it: a field missing, unknown, or of another kind, at any depth. */
export function spoiled(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null) return oddValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, oddValue(random)];
    const at = random.int(value.length);
    return value.map((one, n) => (n === at ? spoiled(one, random) : one));
  }
  const entries = Object.entries(value);
  const [key] = entries.length > 0 ? random.pick(entries) : ['name'];
  switch (random.int(4)) {
    case 0:
      return Object.fromEntries(entries.filter(([one]) => one !== key));
    case 1:
      return { ...value, [oddText(random)]: oddValue(random) };
    case 2:
      return { ...value, [key]: oddValue(random) };
    default:
      return Object.fromEntries(
        entries.map(([one, inner]) => [one, one === key ? spoiled(inner, random) : inner]),
      );
  }
}
