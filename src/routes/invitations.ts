import { Hono } from 'hono';
import * as z from 'zod';
import { requireSelf } from '../http/auth/require-self.ts';
import { contextOf, type Env } from '../http/context.ts';
import { avatarPath, iso } from '../http/fields.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, avatar, id, nothing, uri } from '../http/openapi/shapes.ts';
import { acceptInvitation } from '../model/invitation-acceptance.ts';
import { declineInvitation, expiryOf, listInvitations } from '../model/invitations.ts';

const tag = 'Studies';

const role = z.enum(['owner', 'editor', 'responder']);
const received = z
  .strictObject({
    investigation: uri('investigation'),
    identifier: id.meta({ description: 'Of the study.' }),
    name: z.string().meta({ description: 'Of the study.' }),
    role,
    invitedBy: z.strictObject({ user: uri('/user'), identifier: id, name: z.string(), avatar }),
    at,
    expiresAt: at,
  })
  .meta({ id: 'ReceivedInvitation' });
const receivedList = z
  .strictObject({ user: uri('/user'), invitations: z.array(received) })
  .meta({ id: 'ReceivedInvitations' });
const membership = z
  .strictObject({ investigation: uri('investigation'), user: uri('/user'), role })
  .meta({ id: 'Membership' });

const { owner, responder, study } = examples;
const sleep: z.input<typeof received> = {
  investigation: `investigation/${study.identifier}`,
  identifier: study.identifier,
  name: study.name,
  role: 'responder',
  invitedBy: { user: `/user/${owner.identifier}`, ...owner, avatar: avatarPath(owner.identifier) },
  at: '2027-02-22T09:20:00.000Z',
  expiresAt: '2027-03-24T09:20:00.000Z',
};

export const invitations = new Hono<Env>()
  .get(
    '/user/:id/invitations',
    documented({
      id: 'listInvitations',
      tag,
      summary: "Lists the caller's invitations",
      description:
        'Those that wait for the e-mail address that a token of theirs proved last. They expire after 30 days.',
      answers: {
        200: json('Oldest first.', receivedList, {
          user: `/user/${responder.identifier}`,
          invitations: [sleep],
        }),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const rows = await listInvitations(context);
      const list: z.input<typeof receivedList> = {
        user: `/user/${user}`,
        invitations: rows.map((row) => ({
          investigation: `investigation/${row.investigation}`,
          identifier: row.investigation,
          name: row.study,
          role: row.role,
          invitedBy: {
            user: `/user/${row.invitedBy}`,
            identifier: row.invitedBy,
            name: row.inviter,
            avatar: avatarPath(row.invitedBy),
          },
          at: iso(row.createdAt),
          expiresAt: iso(expiryOf(row)),
        })),
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
      description: 'The caller becomes a member of the study. Who is one already keeps their role.',
      answers: {
        200: json('The membership; a repeat answers the same.', membership, {
          investigation: sleep.investigation,
          user: `/user/${responder.identifier}`,
          role: 'responder',
        }),
      },
      problems: ['resource.not-found', 'action.forbidden', 'study.archived', 'limit.reached'],
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
      answers: nothing('It is gone.'),
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
