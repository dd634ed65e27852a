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
