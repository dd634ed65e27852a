import { rootMessage } from '../errors.ts';
import type { Services } from '../services.ts';

type Recording = Pick<Services, 'records' | 'log'>;

/** The last claim or settle was taken. */
export function noteTaken({ records, log }: Recording): void {
  if (records.refused) log({ event: 'writes.taken' });
  records.refused = false;
}

/** The last claim or settle failed: while the database takes no writes, nothing is pushed. */
export function noteRefused({ records, log }: Recording, error: unknown): void {
  if (!records.refused) log({ event: 'writes.refused', level: 'error', error: rootMessage(error) });
  records.refused = true;
}
