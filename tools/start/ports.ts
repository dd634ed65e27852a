import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartError } from '../settings/start-error.ts';

/** @throws StartError that names the port and its variable when the port is taken */
export async function checkPort(name: 'PORT' | 'SNS_PORT', port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(describePortError(name, port, error as NodeJS.ErrnoException));
  }
  server.close();
  await once(server, 'close');
}

function describePortError(name: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `Port ${port} is in use: set ${name} to another one`;
  if (code === 'EACCES') return `Port ${port} needs more rights than you have: set ${name} to one above 1023`;
  return `Port ${port} (${name}) cannot be used: ${message}`;
}
