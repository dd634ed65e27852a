import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem, type } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';

const packages = ['wrangler', 'deno', 'bullmq', 'ioredis', '@aws-sdk/client-sns'] as const;
const libraries = ['cron-parser', 'croner', 'temporal-polyfill', 'hono', 'autocannon'] as const;

/** The machine and the versions of the measured programs, recorded with the results. Null: not installed. */
export async function readMachine() {
  const versions = await Promise.all(
    [...packages, ...libraries].map(async (name) => [name, await versionOf(name)] as const),
  );
  return {
    at: new Date().toISOString(),
    machine: {
      system: type(),
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 1024 ** 3),
    },
    versions: {
      node: process.version.slice(1),
      'redis-server': await outputOf('redis-server', /v=(\S+)/),
      ...Object.fromEntries(versions),
    },
  };
}

async function versionOf(name: string): Promise<string | null> {
  for (const folder of [import.meta.dirname, '.']) {
    const manifest = await readFile(`${folder}/node_modules/${name}/package.json`, 'utf8').catch(() => null);
    if (manifest !== null) return JSON.parse(manifest).version;
  }
  return null;
}

/** The version that a program on the PATH prints. */
async function outputOf(program: string, version: RegExp): Promise<string | null> {
  const { stdout } = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
  return version.exec(stdout)?.[1] ?? null;
}
