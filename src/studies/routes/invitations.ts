import { Hono } from 'hono';
import * as z from 'zod';
import { requireSelf } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { cursor, cutPage, linkNext } from '../../http/lists/paging.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { next, nothing, uri } from '../../http/openapi/shapes.ts';
import { count, query } from '../../http/validation.ts';
import { acceptInvitation } from '../invitation-acceptance.ts';
import { received, receivedExample, role, toReceived } from '../invitation-shapes.ts';
import { declineInvitation, listInvitations } from '../invitations.ts';

const tag = 'Studies';

const listQuery = z.strictObject({
  limit: count(100, 100),
  cursor: cursor(z.tuple([z.number(), z.string()])).optional(),
});

const receivedList = z
  .strictObject({ user: uri('/user'), invitations: z.array(received), next })
  .meta({ id: 'ReceivedInvitations' });
const membership = z
  .strictObject({ investigation: uri('investigation'), user: uri('/user'), role })
  .meta({ id: 'Membership' });

const { responder } = examples;

export const invitations = new Hono<Env>()
  .get(
    '/user/:id/invitations',
    documented({
      id: 'listInvitations',
      tag,
      summary: "Lists the caller's invitations",
      description:
        "Open invitations to the e-mail address that the caller's tokens proved last. Invitations expire after 30 days.",
      answers: {
        200: json(
          'Oldest first.',
          receivedList,
          { user: `/user/${responder.identifier}`, invitations: [receivedExample] },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(listQuery),
    async (c) => {
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const { limit, cursor: after } = c.req.valid('query');
      const found = await listInvitations(context, { limit, after });
      const { rows, next } = cutPage(found, limit, (row) => [row.createdAt, row.investigation]);
      linkNext(c, next);
      const list: z.input<typeof receivedList> = {
        user: `/user/${user}`,
        invitations: rows.map(toReceived),
        ...(next && { next }),
      };
      return c.json(list);
    },
  )
  .post(
    '/user/:id/invitations/:investigation/accept',
    documented({
      id: 'acceptInvitation',
      tag,
      summary: 'Accepts an invitation',
      description:
        'The caller becomes a member of the study. Callers who are members already keep their role.',
      answers: {
        200: json('The membership; a repeat answers the same.', membership, {
          investigation: receivedExample.investigation,
          user: `/user/${responder.identifier}`,
          role: 'responder',
        }),
      },
      problems: ['resource.not-found', 'action.forbidden', 'study.archived', 'study.frozen', 'limit.reached'],
    }),
    async (c) => {
      const context = contextOf(c);
      const { id, investigation } = c.req.param();
      const user = await requireSelf(context, id);
      const { role } = await acceptInvitation(context, investigation);
      const answer: z.input<typeof membership> = {
        investigation: `investigation/${investigation}`,
        user: `/user/${user}`,
        role,
      };
      return c.json(answer);
    },
  )
  .post(
    '/user/:id/invitations/:investigation/decline',
    documented({
      id: 'declineInvitation',
      tag,
      summary: 'Declines an invitation',
      answers: nothing('The invitation is removed.'),
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const context = contextOf(c);
      const { id, investigation } = c.req.param();
      await requireSelf(context, id);
      await declineInvitation(context, investigation);
      return c.body(null, 204);
    },
  );
