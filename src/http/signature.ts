import * as z from 'zod';
import { text } from './validation.ts';

/** The statement that somebody signs with a lock, an unlock or a freeze. */
export const signature = z
  .strictObject({ meaning: text(1, 500) }, { error: 'Expected { meaning }.' })
  .optional()
  .meta({
    description:
      'Signs the change. The activity log keeps the signature with the name of the caller, who must have signed in within the last 300 seconds. Required if the lock policy of the study says so.',
  });
