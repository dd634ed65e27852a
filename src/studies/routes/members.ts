import { Hono } from 'hono';
import * as z from 'zod';
import { invalid } from '../../errors.ts';
import { resolveUser } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { email } from '../../http/email.ts';
import { givenProperties, iso, memberCode } from '../../http/fields.ts';
import { cursor, encodeCursor, fitting, linkNext } from '../../http/lists/paging.ts';
import { property } from '../../http/lists/query.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, code, next, nothing, uri } from '../../http/openapi/shapes.ts';
import { body, count, identifier, query } from '../../http/validation.ts';
import { changeInvitation, type Invitation, invite, withdrawInvitation } from '../invitations.ts';
import { changeMember } from '../member-change.ts';
import { listMembers } from '../member-list.ts';
import { courseChange, givenScope, member, role, scope, toMember, toRule } from '../member-shapes.ts';
import { addMember, removeMember } from '../members.ts';

const tag = 'Studies';

const addBody = z
  .strictObject({
    user: identifier.optional(),
    email: email.optional(),
    role,
    code: memberCode.optional().meta({
      description: 'The code of the person in the study, unique there: shown wherever the name is.',
    }),
    properties: givenProperties.optional(),
    scope: givenScope,
  })
  .refine(({ user, email }) => (user === undefined) !== (email === undefined), {
    error: 'Expected either a user (an identifier) or an email.',
  })
  .transform(({ user, email = '', ...given }) =>
    user === undefined ? { email, ...given } : { user, ...given },
  );
const changeBody = z
  .strictObject({
    role: role.optional(),
    code: memberCode.nullable().optional().meta({ description: 'null takes the code away.' }),
    scope: givenScope,
    ...courseChange,
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    path: ['role'],
    error: 'Expected a role, a code, a scope, dates, a participation or properties.',
  });
/** Characters of a page's members, and of its invitations. */
const halfPage = 500_000;

const listQuery = z.strictObject({
  role: role.optional().meta({ description: 'Only members of this role, but invitations of all roles.' }),
  code: memberCode.optional().meta({
    description: 'Only the member or the invitation with this code. For owners, editors and monitors.',
  }),
  property,
  limit: count(1000, 1000),
  cursor: cursor(z.tuple([z.string(), z.string()])).optional(),
});

const invitation = z
  .strictObject({
    email: z.string().meta({ examples: ['dana@example.org'] }),
    role,
    code,
    properties: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Those that the new member will have.', examples: [{ site: 'lyon' }] }),
    scope,
  })
  .meta({ id: 'Invitation' });
const pending = invitation
  .extend({ invitedAt: at.meta({ description: 'The invitation expires 30 days later.' }) })
  .meta({ id: 'PendingInvitation' });
const memberList = z
  .strictObject({
    investigation: uri('investigation'),
    members: z.array(member),
    invitations: z.array(pending).meta({ description: 'Pending invitations; shown to owners.' }),
    next,
  })
  .meta({ id: 'Members' });
const memberOrInvitation = z.union([member, invitation]);

const toInvitation = ({ email, role, code, properties, scope }: Invitation): z.input<typeof invitation> => ({
  email,
  role,
  ...(code != null && { code }),
  ...(properties && { properties: { ...properties } }),
  ...(scope && { scope: toRule(scope) }),
});

const { owner, editor, study } = examples;
const plain = { code: null, invitedAs: null };
const ada = toMember({ id: owner.identifier, name: owner.name, role: 'owner', ...plain });
const bruno = toMember({ id: editor.identifier, name: editor.name, role: 'editor', ...plain });
const dana: z.input<typeof invitation> = { email: 'dana@example.org', role: 'responder', code: 'P-018' };

export const members = new Hono<Env>()
  .get(
    '/investigation/:id/members',
    documented({
      id: 'listMembers',
      tag,
      summary: 'Lists the members of a study',
      description:
        'Owners, editors and monitors see everybody; those with a scope the participants in it, and the staff by name and role. Responders see owners, editors and themselves. With `property`, and for those with a scope, a page looks at 5,000 members: it may be short, even empty, while there is `next`; with `property` it has no invitations.',
      answers: {
        200: json(
          'Members and invitations.',
          memberList,
          {
            investigation: `investigation/${study.identifier}`,
            members: [ada, bruno],
            invitations: [{ ...dana, invitedAt: '2027-02-22T09:20:00.000Z' }],
          },
          ['Link'],
        ),
      },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    query(listQuery),
    async (c) => {
      const { cursor: after, ...filter } = c.req.valid('query');
      const { limit } = filter;
      const id = c.req.param('id');
      const found = await listMembers(contextOf(c), id, { ...filter, after });
      const rows = found.rows.slice(0, fitting(found.rows, limit, halfPage));
      const invited = found.invited.slice(0, fitting(found.invited, limit, halfPage));
      const isCut = found.rows.length > rows.length;
      const more = isCut || found.invited.length > invited.length || found.end !== undefined;
      const last = (isCut ? undefined : found.end) ?? rows.at(-1)?.id ?? after?.[0] ?? '';
      const next = more ? encodeCursor([last, invited.at(-1)?.email ?? after?.[1] ?? '']) : undefined;
      linkNext(c, next);
      const page: z.input<typeof memberList> = {
        investigation: `investigation/${id}`,
        members: rows.map(toMember),
        invitations: invited.map((one) => ({ ...toInvitation(one), invitedAt: iso(one.createdAt) })),
        ...(next && { next }),
      };
      return c.json(page);
    },
  )
  .post(
    '/investigation/:id/member',
    documented({
      id: 'addMember',
      tag,
      summary: 'Adds a member, or invites an e-mail address',
      description:
        'Exactly one of `user` and `email`. A user becomes a member at once. An address becomes an invitation, whether somebody has signed up with it or not: the owner of the address accepts by signing up, or at `/user/me/invitations`.',
      request: dana,
      answers: {
        201: json('The new member or invitation.', memberOrInvitation, dana),
        200: json('The member or invitation existed already.', memberOrInvitation, bruno),
      },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'member.exists',
        'member.code-taken',
        'invitation.exists',
        'study.archived',
        'study.frozen',
        'limit.reached',
      ],
    }),
    body(addBody),
    async (c) => {
      const context = contextOf(c);
      const investigation = c.req.param('id');
      const person = c.req.valid('json');
      const path = `/investigation/${investigation}/member`;
      if ('email' in person) {
        const { invitation, created } = await invite(context, investigation, person);
        const location = `${path}/${encodeURIComponent(person.email)}`;
        return c.json(toInvitation(invitation), statusOf(c, { created, location }));
      }
      const { user, ...given } = person;
      const { member, created } = await addMember(context, { investigation, user }, given);
      return c.json(toMember(member), statusOf(c, { created, location: `${path}/${member.id}` }));
    },
  )
  .patch(
    '/investigation/:id/member/:user',
    documented({
      id: 'updateMember',
      tag,
      summary:
        'Changes the role, the scope, the code, the dates, the time or the properties of a member, or an invitation',
      description:
        'Owners change roles and scopes, owners and editors all else; editors with a scope change members in it, and no property that their scope names. A date that moves, and a property, plan the reminders that depend on it anew; nobody is reminded twice on a date. The cases that a participant made go along with their properties. An invitation goes by its address, and is for owners; its role stays.',
      request: { role: 'owner' },
      answers: {
        200: json('The member or the invitation as it is now.', memberOrInvitation, {
          ...bruno,
          role: 'owner',
        }),
      },
      problems: [
        'resource.not-found',
        'action.forbidden',
        'member.last-owner',
        'member.code-taken',
        'study.frozen',
        'limit.reached',
      ],
    }),
    body(changeBody),
    async (c) => {
      const context = contextOf(c);
      const { id, user } = c.req.param();
      const change = c.req.valid('json');
      const address = email.safeParse(user);
      if (!address.success) {
        const membership = { investigation: id, user: resolveUser(user, context.actor) };
        return c.json(toMember(await changeMember(context, membership, change)));
      }
      const { code, properties, scope, ...others } = change;
      if (Object.values(others).some((value) => value !== undefined))
        throw invalid(
          '/role',
          'Expected a code, properties and a scope alone: to invite in another role, withdraw the invitation first.',
        );
      const changed = await changeInvitation(context, id, address.data, { code, properties, scope });
      return c.json(toInvitation(changed));
    },
  )
  .delete(
    '/investigation/:id/member/:user',
    documented({
      id: 'removeMember',
      tag,
      summary: 'Removes a member, or withdraws an invitation',
      description: 'Owners remove anyone; others remove themselves.',
      answers: nothing('The membership or invitation is removed.'),
      problems: ['resource.not-found', 'action.forbidden', 'member.last-owner'],
    }),
    async (c) => {
      const context = contextOf(c);
      const { id, user } = c.req.param();
      // An invited address has no user yet, so it stands for itself.
      const address = email.safeParse(user);
      if (address.success) await withdrawInvitation(context, id, address.data);
      else await removeMember(context, { investigation: id, user: resolveUser(user, context.actor) });
      return c.body(null, 204);
    },
  );
