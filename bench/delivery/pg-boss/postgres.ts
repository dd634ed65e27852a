import { execFileSync } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, run, start } from '../../support/processes.ts';
import { postgresFolder } from '../peers/programs.ts';

export const missingPostgres = (): string | null =>
  postgresFolder() === null ? 'PostgreSQL is not installed' : null;

/** The server's address; `host` is the folder of its socket. */
export interface Address {
  host: string;
  user: string;
  database: string;
}

/** A PostgreSQL with default settings, so that a commit waits for the disk. On a socket in `folder`. */
export async function startPostgres(folder: string): Promise<Child & { address: Address }> {
  const programs = postgresFolder() ?? '';
  const home = join(folder, 'postgres');
  const data = join(home, 'data');
  const user = unprivileged();
  const log = join(folder, 'postgres.log');
  await mkdir(home);
  if (user) await chown(home, user.uid, user.gid);
  const cluster = ['--pgdata', data, '--username', 'fieldbell', '--auth', 'trust', '--encoding', 'UTF8'];
  await run(join(programs, 'initdb'), [...cluster, '--no-locale', '--no-sync'], { log, user });
  const settings = ['listen_addresses=', `unix_socket_directories=${home}`].flatMap((one) => ['-c', one]);
  const server = start(join(programs, 'postgres'), ['-D', data, ...settings], {
    log,
    user,
    stopSignal: 'SIGQUIT',
  });
  await server.line(/database system is ready to accept connections/);
  return { ...server, address: { host: home, user: 'fieldbell', database: 'postgres' } };
}

/** PostgreSQL refuses to run as root. Null: the current user is not root. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
