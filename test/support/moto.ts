import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { eventually } from './eventually.ts';
import { freePorts } from './ports.ts';

/** The closing lines of a run say whether moto, a public emulator of AWS, took part in it. */
export function setup(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'fieldbell-moto-'));
  const ran = join(directory, 'ran');
  project.provide('motoRan', ran);
  return () => {
    if (existsSync(ran)) console.log('moto: ran');
    else console.log(isOnPath('moto_server') ? 'moto: not part of this run' : 'moto: not on PATH, skipped');
    rmSync(directory, { recursive: true });
  };
}

export const hasMoto = () => isOnPath('moto_server');

export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export interface Moto {
  url: string;
  stop(): Promise<void>;
}

/** Starts `moto_server` on a free port of the loopback address. */
export async function startMoto(): Promise<Moto> {
  const [port] = await freePorts(1);
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    // Its own process group, because a version manager may stand between us and it.
    detached: true,
  });
  const url = `http://127.0.0.1:${port}/`;
  const stop = () => stopGroup(server);
  await eventually('moto_server answers', async () => {
    if (server.exitCode !== null) throw new Error(`moto_server ended with ${server.exitCode}`);
    return fetch(url).catch(() => undefined);
  });
  return { url, stop };
}

async function stopGroup(server: ChildProcess) {
  if (server.exitCode !== null || server.pid === undefined) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  process.kill(-server.pid);
  await ended;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A file that the suite writes once it has run against moto. */
    motoRan: string;
  }
}
