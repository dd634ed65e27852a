import * as z from 'zod';
import { iso } from '../http/fields.ts';
import { at, id } from '../http/openapi/shapes.ts';
import { type Reviewed, reviewedThrough } from './reviewed.ts';

export const reviewed = z
  .strictObject({
    through: z
      .int()
      .meta({ description: 'Everything up to this position is reviewed; 0 if the first entry is not.' }),
    ranges: z
      .array(z.strictObject({ from: z.int(), to: z.int() }))
      .meta({ description: 'All that is reviewed, in order: ranges of positions, both ends included.' }),
    at: at.meta({ description: 'The time of the newest review.' }),
    actor: id.meta({ description: 'The reviewer of the newest one.' }),
    actorName: z.string(),
  })
  .meta({ id: 'Reviewed' });

export const toReviewed = ({
  details: { ranges },
  at,
  actor,
  actorName,
}: Reviewed): z.input<typeof reviewed> => ({
  through: reviewedThrough(ranges),
  ranges,
  at: iso(at),
  actor,
  actorName: actorName ?? '',
});
