import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem, type } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';

const packages = ['wrangler', 'deno', 'bullmq', 'ioredis', 'pg-boss', 'pg', '@aws-sdk/client-sns'] as const;
const libraries = ['cron-parser', 'croner', 'temporal-polyfill', 'hono', 'autocannon'] as const;

/** What the figures were measured on, and with: for the record beside them. */
export async function readMachine() {
  const versions = await Promise.all(
    [...packages, ...libraries].map(async (name): Promise<[string, string]> => [name, await versionOf(name)]),
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
      'redis-server': await output('redis-server', /v=(\S+)/),
      postgres: await output('psql', /([\d.]+)/),
      ...Object.fromEntries(versions),
    },
  };
}

async function versionOf(name: string): Promise<string> {
  return JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')).version;
}

/** The version that a program on the path tells; null: it is not installed. */
async function output(program: string, version: RegExp): Promise<string | null> {
  const told = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }));
  return version.exec(told.stdout)?.[1] ?? null;
}
