import { Hono } from 'hono';
import * as z from 'zod';
import { contextOf, type Env } from '../../http/context.ts';
import { propertyRule } from '../../http/fields.ts';
import { documented } from '../../http/openapi/documented.ts';
import { nothing } from '../../http/openapi/shapes.ts';
import { signature } from '../../http/signature.ts';
import { body, text } from '../../http/validation.ts';
import { freezeStudy } from '../freezes.ts';

const freezeBody = z.strictObject({
  status: z.enum(['frozen', 'active'], { error: 'Expected frozen or active.' }),
  reason: text(1, 500),
  signature,
  properties: propertyRule.optional().meta({
    description: 'Only the cases and responses of this group; the rest of the study goes on.',
  }),
});

export const freezes = new Hono<Env>().post(
  '/investigation/:id/freeze',
  documented({
    id: 'freezeStudy',
    tag: 'Locking',
    summary: 'Freezes a study, or ends the freeze',
    description:
      'While a study is frozen, no route creates or changes a case, a response, a survey or a lock in it (423 `study.frozen`). Members, devices and reading go on, and reminders are skipped as `study-frozen`. With `properties` that is so for cases and responses of a group, and the end of a freeze names the same group; blinded properties freeze nothing.',
    request: { status: 'frozen', reason: 'Database lock before the final analysis' },
    answers: nothing('The study is in the requested state.'),
    problems: ['resource.not-found', 'action.forbidden', 'auth.sign-in-stale', 'limit.reached'],
  }),
  body(freezeBody),
  async (c) => {
    await freezeStudy(contextOf(c), c.req.param('id'), c.req.valid('json'));
    return c.body(null, 204);
  },
);
