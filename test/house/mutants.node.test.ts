import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { groups } from '../../tools/mutants/groups.ts';
import { type Mutant, plant } from '../../tools/mutants/mutant.ts';

const all = Object.values(groups).flat();

test('there are at least sixty deliberate faults, a few for each promise, with a name of their own', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  for (const [group, mutants] of Object.entries(groups))
    expect(mutants.length, group).toBeGreaterThanOrEqual(4);
  expect(new Set(all.map(({ fault }) => fault)).size).toBe(all.length);
});

describe.each(Object.entries(groups))('%s', (_, mutants) => {
  test.each(mutants)('$fault: still applies, and its tests exist', (mutant) => {
    expect(plant(mutant, readFileSync(mutant.file, 'utf8'))).not.toBe('');
    expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('a fault is planted where it is declared', () => {
  const source = `/** Says no. */
export async function no(
  asked: string,
): Promise<boolean> {
  return asked === '';
}

const other = () => asked === '';

class Door {
  open() {
    return true;
  }

  async #close() {
    return true;
  }
}
`;
  const fault = (given: Partial<Mutant>): Mutant => {
    const defaults = { fault: 'it says yes', file: 'no.ts', within: 'no', tests: [] };
    return { ...defaults, find: "asked === ''", replace: 'true', ...given };
  };

  test('in a function, a method or a statement of a migration, whatever else the file says', () => {
    expect(plant(fault({}), source)).toBe(source.replace("asked === ''", 'true'));
    const closed = plant(fault({ within: 'Door.#close', find: 'true', replace: 'false' }), source);
    expect(closed).toBe(source.replace(/(#close[\s\S]*?)true/, '$1false'));
    const sql = ['a', 'b']
      .map((name) => `CREATE TRIGGER \`${name}\` WHEN x\nEND;`)
      .join('--> statement-breakpoint\n');
    const planted = plant(fault({ file: 'm.sql', within: 'b', find: 'x', replace: '0' }), sql);
    expect(planted).toBe(sql.replace(/x(?=[^x]*$)/, '0'));
  });

  test.each<[string, Partial<Mutant>]>([
    ['its place', { within: 'yes' }],
    ['its text there', { within: 'Door' }],
    ['one text alone', { within: 'Door', find: 'true' }],
  ])('not without %s', (_, given) => {
    expect(() => plant(fault(given), source)).toThrow(/no\.ts: .* times, expected once/);
  });
});
