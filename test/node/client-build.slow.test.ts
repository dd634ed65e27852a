import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A program of somebody else's, which sees nothing of the server but its declarations. */
const consumer = `
import { createClient, ProblemError } from 'fieldbell/client';
const { api, cases } = createClient({ baseUrl: 'https://fieldbell.test', token: () => 'x' });
export const name: string = (await (await api.user[':id'].$get({ param: { id: 'me' } })).json()).name;
for await (const night of cases('x')) night.label.toUpperCase();
// @ts-expect-error: there is no such field
api.user.$post({ json: { nickname: 'x' } });
// @ts-expect-error: there is no such route
api.nothing.$get();
export const isFull = (error: unknown) => error instanceof ProblemError && error.code === 'limit.reached';
`;

test('fieldbell/client is built, and types a program that never sees the server', async () => {
  const run = (...args: string[]) => execFileSync(args[0] ?? '', args.slice(1), { stdio: 'pipe' }).toString();
  run(process.execPath, 'dev/build-client.ts');
  expect(readFileSync('dist/client.js', 'utf8')).not.toMatch(/\bapp\.(?:ts|js)|interface |drizzle/);

  const folder = mkdtempSync(join(process.cwd(), 'dist', 'consumer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'consumer.ts'), consumer);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2024',
    lib: ['ES2025', 'DOM', 'DOM.Iterable'],
    types: [],
    module: 'ESNext',
    moduleResolution: 'Bundler',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  try {
    run('tsc', '-p', folder);
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout));
  }
  const { createClient } = await import(join(process.cwd(), 'dist/client.js'));
  expect(typeof createClient).toBe('function');
});
