import { Hono } from 'hono';
import * as z from 'zod';
import { invalid } from '../../errors.ts';
import { requireSelf } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { instant } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { nothing } from '../../http/openapi/shapes.ts';
import { body, identifier, query } from '../../http/validation.ts';
import { indefinitely } from '../../schedule/pauses.ts';
import { pauseReminders } from '../pauses.ts';
import { tagOfUser, toUser, user, userExample } from '../shapes.ts';
import { readUser } from '../users.ts';

const tag = 'Users';

const ofStudy = { investigation: identifier.optional() };
const pauseBody = z.strictObject({ until: instant.nullable(), ...ofStudy });

export const pauses = new Hono<Env>()
  .put(
    '/user/:id/pause',
    documented({
      id: 'pauseReminders',
      tag,
      summary: 'Pauses all reminders of the caller, or those of one study',
      description:
        'With `until` null the pause has no end. With `investigation`, only the reminders of that study; the two kinds of pause do not end each other. Leaving a study ends its pause.',
      request: { until: '2027-04-01T00:00:00Z' },
      answers: {
        200: json(
          'The user as they are now.',
          user,
          { ...userExample, pausedUntil: '2027-04-01T00:00:00.000Z' },
          ['ETag'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    body(pauseBody),
    async (c) => {
      const context = contextOf(c);
      const id = await requireSelf(context, c.req.param('id'));
      const { investigation, until } = c.req.valid('json');
      if (until !== null && until <= context.now)
        throw invalid('/until', 'Expected an instant in the future, or null for a pause without an end.');
      await pauseReminders(context, id, { until: until ?? indefinitely, investigation });
      const paused = await readUser(context, id);
      return c.json(toUser(paused, context.now), 200, await tagOfUser(paused, context.now));
    },
  )
  .delete(
    '/user/:id/pause',
    documented({
      id: 'resumeReminders',
      tag,
      summary: 'Ends the pause of all reminders, or of one study',
      description: 'Without `investigation`, the pauses of single studies go on.',
      answers: nothing('There is no such pause.'),
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(z.strictObject(ofStudy)),
    async (c) => {
      const context = contextOf(c);
      const id = await requireSelf(context, c.req.param('id'));
      await pauseReminders(context, id, { until: null, ...c.req.valid('query') });
      return c.body(null, 204);
    },
  );
