import { z } from 'zod';
import { identifier } from '../validation.ts';
import { cursor } from './paging.ts';

const createdCursor = cursor(z.tuple([z.number().int(), identifier]));

/** What lists of cases and responses take (plain requests return everything, streamed). */
export const listQuery = {
  limit: z
    .string({ error: 'Expected a whole number from 1 to 1000.' })
    .regex(/^(?:[1-9][0-9]{0,2}|1000)$/, 'Expected a whole number from 1 to 1000.')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: 1000, description: 'Without it, everything, streamed.' }),
  cursor: createdCursor.optional(),
  status: z
    .enum(['active', 'archived', 'all'], { error: 'Expected active, archived or all.' })
    .default('active')
    .meta({ description: 'Locked items are listed whatever it says, unless they are archived.' }),
  locked: z
    .enum(['true', 'false'], { error: 'Expected true or false.' })
    .transform((text) => text === 'true')
    .optional(),
  since: z
    .string({ error: 'Expected Unix time in seconds.' })
    .regex(/^[0-9]{1,11}$/, 'Expected Unix time in seconds.')
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: 99_999_999_999,
      description: 'Unix seconds of the latest revision.',
    }),
};
