import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm run cost prints what was measured and the dollars that follow', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'cost']);
  expect(stdout).toMatch(/deliver a reminder, plan the next\s*│ 2\s*│ 1[0-5]\s*│ 3\s*│/);
  expect(stdout).toMatch(/a sweep with nothing due\s*│ 1\s*│ [1-5]\s*│ [01]\s*│/);
  const parts = [...stdout.matchAll(/^ +(\d+\.\d\d) {2}(?!in all)/gm)].map(([, dollars]) => Number(dollars));
  const total = /(\d+\.\d\d) {2}in all/.exec(stdout)?.[1];
  expect(Number(total)).toBeCloseTo(
    parts.reduce((sum, part) => sum + part, 0),
    1,
  );
}, 60_000);
