import { z } from 'zod';

/** What answers are made of: the shapes of single fields. */

export const id = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ examples: ['0198c1a4f3b27d3c9a51e07c4d2b8f60'] });

/** ISO 8601 in UTC with milliseconds. */
export const at = z.iso.datetime({ precision: 3 }).meta({ examples: ['2027-03-01T20:30:00.000Z'] });

export const unix = z.int().meta({ description: 'Unix time in seconds.' });
export const date = z.iso.date();
export const zone = z.string().meta({ examples: ['Europe/Paris'] });

/** A path-like reference, such as `case/<identifier>`. */
export const uri = (start: string) =>
  z
    .string()
    .regex(new RegExp(`^${start}/[0-9a-f]{32}$`))
    .meta({ examples: [`${start}/0198c1a4f3b27d3c9a51e07c4d2b8f60`] });

export const avatar = z
  .string()
  .regex(/^\/user\/[0-9a-f]{32}\/avatar$/)
  .meta({ description: "Path of the person's picture." });

/** A locked item has `lockedAt`, any other has `status`. */
export const lockState = {
  lockedAt: at.optional().meta({ description: 'Only of locked items.' }),
  status: z
    .enum(['active', 'archived'])
    .optional()
    .meta({ description: 'Only of items that are not locked.' }),
};

/** In JSON Schema: exactly one of the two. */
export const lockRule = { oneOf: [{ required: ['lockedAt'] }, { required: ['status'] }] };

export const next = z
  .string()
  .optional()
  .meta({ description: 'Cursor of the next page, while more remain.' });

export const csv = (example: string) => ({ 'text/csv': { schema: { type: 'string' }, example } });

export const nothing = (description: string) => ({ 204: { description } });
