import { randomInt } from 'node:crypto';
import { checkPort } from '../../tools/start/ports.ts';

/** Ports that nothing listens on, all different, and below those that the system gives to whoever asks for any. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

const isFree = (port: number): Promise<boolean> =>
  checkPort('PORT', port).then(
    () => true,
    () => false,
  );
