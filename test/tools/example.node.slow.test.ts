import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test("npm run example signs somebody up and answers the demo study's survey", () => {
  const output = execFileSync(process.execPath, ['tools/demo/example.ts'], { encoding: 'utf8' });
  expect(output).toMatch(/^Chidi signed up as \/user\/[0-9a-f]{32}/);
  expect(output).toContain('The study has the answer: {"bedtime":"22:30"');
});
