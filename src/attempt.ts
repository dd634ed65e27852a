import { rootMessage } from './errors.ts';
import type { Services } from './services.ts';

/** Runs one step of work that must not stop the others: errors become a line of the log. */
export async function attempt(
  { log }: Pick<Services, 'log'>,
  event: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log({ event, error: rootMessage(error) });
  }
}

/**
 * The same, for work that must not keep the next waiting: a step that is not over after `withinMs` becomes a line of the
 * log, and goes on by itself.
 */
export async function attemptWithin(
  services: Pick<Services, 'log'>,
  { event, withinMs }: { event: string; withinMs: number },
  work: () => Promise<unknown>,
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    services.log({ event, error: `not over after ${withinMs / 1000} s` });
    resolve();
  }, withinMs);
  await Promise.race([attempt(services, event, work).finally(() => clearTimeout(timer)), late]);
}
