import { Hono } from 'hono';
import { z } from 'zod';
import { resolveUser } from '../http/auth/require-self.ts';
import type { Env } from '../http/context.ts';
import { avatarPath, email } from '../http/fields.ts';
import { cursor, encodeCursor, linkNext } from '../http/lists/paging.ts';
import { body, count, identifier, query } from '../http/validation.ts';
import { startReplans } from '../jobs/outbox.ts';
import { withdrawInvitation } from '../model/invitations.ts';
import { addMember, changeRole, listMembers, removeMember } from '../model/members.ts';
import * as docs from './docs/members.ts';

const role = z.enum(['owner', 'editor', 'responder'], { error: 'Expected owner, editor or responder.' });
const addBody = z
  .strictObject({ user: identifier.optional(), email: email.optional(), role })
  .refine(({ user, email }) => (user === undefined) !== (email === undefined), {
    error: 'Expected either a user (an identifier) or an email.',
  })
  .transform(({ user, email = '', role }) => (user === undefined ? { email, role } : { user, role }));
const roleBody = z.strictObject({ role });
const listQuery = z.strictObject({
  limit: count(1000, 1000),
  cursor: cursor(z.tuple([z.string(), z.string()])).optional(),
});

export const members = new Hono<Env>()
  .get('/investigation/:id/members', docs.list, query(listQuery), async (c) => {
    const { limit, cursor: after } = c.req.valid('query');
    const study = c.req.param('id');
    const found = await listMembers(c.get('services').db, c.get('actor'), study, { limit, after });
    const rows = found.rows.slice(0, limit);
    const invited = found.invited.slice(0, limit);
    const more = found.rows.length > limit || found.invited.length > limit;
    const next = more
      ? encodeCursor([rows.at(-1)?.id ?? after?.[0] ?? '', invited.at(-1)?.email ?? after?.[1] ?? ''])
      : undefined;
    linkNext(c, next);
    return c.json({
      investigation: `investigation/${study}`,
      members: rows.map(toMember),
      invitations: invited,
      ...(next && { next }),
    });
  })
  .post('/investigation/:id/member', docs.add, body(addBody), async (c) => {
    const { db, now } = c.get('services');
    const added = await addMember(
      db,
      { actor: c.get('actor'), investigation: c.req.param('id'), most: c.get('limits').members },
      c.req.valid('json'),
      now(),
    );
    if (added.job) await startReplans(c.get('services'), [added.job]);
    const status = added.created ? 201 : 200;
    return 'member' in added ? c.json(toMember(added.member), status) : c.json(added.invitation, status);
  })
  .patch('/investigation/:id/member/:user', docs.update, body(roleBody), async (c) => {
    const { db, now } = c.get('services');
    const { id, user } = c.req.param();
    const change = { investigation: id, member: resolveUser(user, c.get('actor')), ...c.req.valid('json') };
    return c.json(toMember(await changeRole(db, c.get('actor'), change, now())));
  })
  .delete('/investigation/:id/member/:user', docs.remove, async (c) => {
    const { db, now } = c.get('services');
    const { id, user } = c.req.param();
    // Who was invited by e-mail and has not signed up has no identifier yet.
    if (user.includes('@')) await withdrawInvitation(db, c.get('actor'), id, user.toLowerCase());
    else await removeMember(db, c.get('actor'), id, resolveUser(user, c.get('actor')), now());
    return c.body(null, 204);
  });

const toMember = (member: { id: string; name: string; role: string }) => ({
  user: `/user/${member.id}`,
  identifier: member.id,
  name: member.name,
  avatar: avatarPath(member.id),
  role: member.role,
});
