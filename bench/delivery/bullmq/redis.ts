import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, start } from '../../support/processes.ts';
import { onPath } from '../peers/programs.ts';

export const missingRedis = (): string | null =>
  onPath('redis-server') ? null : 'redis-server is not installed';

/** A Redis as BullMQ's guide "Going to production" recommends: append-only file, no eviction. On a socket. */
export async function startRedis(folder: string): Promise<Child & { socket: string }> {
  const data = join(folder, 'redis');
  const socket = join(folder, 'redis.sock');
  await mkdir(data);
  const options = ['--port', '0', '--unixsocket', socket, '--dir', data, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const redis = start(onPath('redis-server') ?? '', [...options, ...durable], {
    log: join(folder, 'redis.log'),
  });
  await redis.line(/[Rr]eady to accept connections/);
  return { ...redis, socket };
}
