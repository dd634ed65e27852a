import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { instant, propertyRule } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { id } from '../../http/openapi/shapes.ts';
import { signature } from '../../http/signature.ts';
import { body, identifier, text } from '../../http/validation.ts';
import { kinds } from '../../log/entry-items.ts';
import { lockMatching as lockAll } from '../lock-matching.ts';

const expectedSince = 'Expected Unix time in seconds.';

const filter = z.strictObject(
  {
    kinds: z
      .array(z.enum(kinds, { error: `Expected ${kinds.join(' or ')}.` }), {
        error: `Expected a list of ${kinds.join(' or ')}.`,
      })
      .min(1, `Expected at least one of ${kinds.join(' and ')}.`)
      .max(2, `Expected ${kinds.join(' and ')} once each.`)
      .optional(),
    case: identifier.optional().meta({ description: 'Finds this case and its responses.' }),
    survey: identifier.optional().meta({ description: 'Finds responses to this survey, and no case.' }),
    responder: identifier.optional().meta({ description: 'Finds responses of this user, and no case.' }),
    properties: propertyRule
      .optional()
      .meta({ description: 'Finds cases with one of the values of each name, and their responses.' }),
    since: z
      .int({ error: expectedSince })
      .min(0, expectedSince)
      .max(99_999_999_999, expectedSince)
      .optional()
      .meta({
        description:
          'Only items whose latest revision is not older: Unix time in seconds, as `since` of the lists. A lock is no revision.',
      }),
    before: instant.optional().meta({ description: 'Created before this instant.' }),
  },
  { error: 'Expected a filter; {} finds everything.' },
);
const matchingBody = z.strictObject({
  status: z.enum(['locked', 'unlocked'], { error: 'Expected locked or unlocked.' }),
  filter,
  reason: text(1, 500).optional(),
  signature,
  dryRun: z.boolean({ error: 'Expected true or false.' }).default(false),
});
const matched = z
  .strictObject({
    cases: z.int(),
    responses: z.int(),
    activity: id
      .optional()
      .meta({ description: 'The entry of the activity log; omitted when nothing changed.' }),
  })
  .meta({ id: 'Matched' });

export const lockMatching = new Hono<Env>().post(
  '/investigation/:id/lock-matching',
  documented({
    id: 'lockMatching',
    tag: 'Locking',
    summary: 'Locks or unlocks all items that a filter finds',
    description:
      'Changes all items that the filter finds, that the caller may view and that are not yet in the state, in one transaction, with one entry of the activity log that has the filter and the counts. With `dryRun` nothing changes and the counts are what the call would change. Items that are created after the request are not found. Callers who see a part of the study change items of that part, and the entry says so in `details.scope`.',
    request: {
      status: 'locked',
      filter: { survey: examples.survey.identifier, before: '2027-03-15T00:00:00.000Z' },
      reason: 'Interim analysis',
    },
    answers: {
      200: json('The numbers of items that changed.', matched, {
        cases: 0,
        responses: 412,
        activity: '01a4497d1b0074ce9d15c9dd7225d357',
      }),
    },
    problems: [
      'resource.not-found',
      'action.forbidden',
      'auth.sign-in-stale',
      'limit.reached',
      'study.frozen',
    ],
  }),
  body(matchingBody),
  async (c) => {
    const result = await lockAll(contextOf(c), c.req.param('id'), c.req.valid('json'));
    return c.json(result satisfies z.input<typeof matched>);
  },
);
