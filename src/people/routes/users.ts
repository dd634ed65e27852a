import { Hono } from 'hono';
import * as z from 'zod';
import { requireSelf, resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { etag, ifMatch, isKnown, notModified } from '../../http/etag.ts';
import { languageTag, quietHours, timeZone, wallTime } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { nothing } from '../../http/openapi/shapes.ts';
import { body, identifier, name } from '../../http/validation.ts';
import { received, receivedExample, toReceived } from '../../studies/invitation-shapes.ts';
import { coMember, userExample as example, tagOfUser, toCoMember, toUser, user } from '../shapes.ts';
import { signUp } from '../sign-ups.ts';
import { deleteUser, readCoMember, readUser, revisionOfUser, updateUser } from '../users.ts';

const tag = 'Users';

const profile = {
  name,
  timeZone: timeZone.nullable(),
  customRemindersTime: wallTime.nullable(),
  quietHours: quietHours.nullable(),
  language: languageTag.nullable().meta({ description: 'Of phones that are registered without one.' }),
};
const signUpBody = z
  .strictObject({
    ...profile,
    acceptInvitations: z
      .union([z.boolean(), z.array(identifier).max(1000)], {
        error: 'Expected true, false, or a list of at most 1000 identifiers of studies.',
      })
      .optional(),
  })
  .partial({ timeZone: true, customRemindersTime: true, quietHours: true, language: true });

const signedUpUser = user
  .extend({
    invitations: z
      .array(received)
      .optional()
      .meta({ description: 'Only if some are still open; at most 100.' }),
  })
  .meta({ id: 'SignedUpUser' });
const signedUp: z.input<typeof signedUpUser> = { ...example, invitations: [receivedExample] };

const updateBody = z.strictObject(profile).partial();

/** Signing up needs a token, but no user yet. */
export const signUps = new Hono<Env>().post(
  '/user',
  documented({
    id: 'signUp',
    tag,
    summary: 'Signs the caller up',
    description:
      "`acceptInvitations` says which of the invitations that wait for the token's verified e-mail address become memberships: those to these studies, all (true) or none (false). Without it, an invitation is accepted if it is the only one and the caller is a member of no study yet. The others wait at `/user/me/invitations`.",
    access: 'token',
    request: { name: example.name, timeZone: 'Europe/Paris', customRemindersTime: '21:30' },
    answers: {
      201: json(
        'The user, and the invitations that are still open.',
        signedUpUser,
        { ...signedUp, devices: [] },
        ['ETag'],
      ),
      200: json(
        'The user, who had signed up before; only invitations that are open now are accepted.',
        signedUpUser,
        signedUp,
        ['ETag'],
      ),
    },
    problems: ['action.forbidden'],
  }),
  body(signUpBody),
  async (c) => {
    const context = contextOf(c);
    const { user, created, invitations } = await signUp(context, c.get('identity'), c.req.valid('json'));
    c.get('forget')();
    const status = statusOf(c, { created, location: `/user/${user.id}` });
    const answer: z.input<typeof signedUpUser> = {
      ...toUser(user, context.now),
      ...(invitations.length > 0 && { invitations: invitations.map(toReceived) }),
    };
    return c.json(answer, status, await tagOfUser(user, context.now));
  },
);

export const users = new Hono<Env>()
  .get(
    '/user/:id',
    documented({
      id: 'readUser',
      tag,
      summary: 'Reads a user',
      description:
        'The caller sees themselves, everybody in studies whose owner, editor or monitor they are, and the owners and editors of studies in which they take part.',
      answers: {
        200: json('The caller, or somebody whom they see in a study.', z.union([user, coMember]), example, [
          'ETag',
        ]),
      },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const context = contextOf(c);
      const id = resolveUser(c.req.param('id'), context.actor);
      if (id !== context.actor) return c.json(toCoMember(await readCoMember(context, id)));
      const self = await readUser(context, id);
      const revision = await revisionOfUser(self, context.now);
      const headers = { etag: etag(revision) };
      return isKnown(c, revision) ? notModified(c, headers) : c.json(toUser(self, context.now), 200, headers);
    },
  )
  .patch(
    '/user/:id',
    documented({
      id: 'updateUser',
      tag,
      summary: 'Changes the caller',
      ifMatch: true,
      request: { customRemindersTime: '20:00' },
      answers: {
        200: json('The user as they are now.', user, { ...example, customRemindersTime: '20:00' }, ['ETag']),
      },
      problems: ['resource.not-found', 'action.forbidden', 'revision.stale'],
    }),
    body(updateBody),
    async (c) => {
      const context = contextOf(c);
      const id = await requireSelf(context, c.req.param('id'));
      const change = { ...c.req.valid('json'), ifMatch: ifMatch(c) };
      const updated = await updateUser(context, id, change);
      return c.json(toUser(updated, context.now), 200, await tagOfUser(updated, context.now));
    },
  )
  .delete(
    '/user/:id',
    documented({
      id: 'deleteUser',
      tag,
      summary: 'Deletes the caller',
      description:
        'Removes their devices, also at the push relay, their memberships and their pending notifications; responses stay with the study.',
      answers: nothing('The user is deleted.'),
      problems: ['resource.not-found', 'action.forbidden', 'member.last-owner', 'relay.unavailable'],
    }),
    async (c) => {
      const context = contextOf(c);
      await deleteUser(context, await requireSelf(context, c.req.param('id')));
      c.get('forget')();
      return c.body(null, 204);
    },
  );
