import { Hono } from 'hono';
import { z } from 'zod';
import { requireSelf, resolveUser } from '../http/auth/require-self.ts';
import type { Env } from '../http/context.ts';
import { avatarPath, instant, iso, timeZone, wallTime } from '../http/fields.ts';
import { body, name } from '../http/validation.ts';
import { startReplans } from '../jobs/outbox.ts';
import { deleteUser } from '../model/deletions.ts';
import { signUp } from '../model/sign-ups.ts';
import { pauseUser, readCoMember, readUser, type User, updateUser } from '../model/users.ts';
import { avatarSvg } from './avatar.ts';
import * as docs from './docs/users.ts';

const profile = {
  name,
  timeZone: timeZone.nullable(),
  customRemindersTime: wallTime.nullable(),
};
const signUpBody = z.strictObject(profile).partial({ timeZone: true, customRemindersTime: true });
const updateBody = z.strictObject(profile).partial();
const pauseBody = z.strictObject({ until: instant.nullable() });

/** A pause without an end: the last instant that JavaScript knows. */
const forGood = 8_640_000_000_000_000;

/** Sign-up needs a token, but nobody signed up yet. */
export const signUps = new Hono<Env>().post('/user', docs.signUp, body(signUpBody), async (c) => {
  const { db, now } = c.get('services');
  const { user, created, job } = await signUp(db, c.get('identity'), c.req.valid('json'), now());
  c.get('forget')();
  if (job) await startReplans(c.get('services'), [job]);
  return c.json(toUser(user, now()), created ? 201 : 200);
});

export const users = new Hono<Env>()
  .get('/user/:id', docs.read, async (c) => {
    const { db, now } = c.get('services');
    const id = resolveUser(c.req.param('id'), c.get('actor'));
    if (id === c.get('actor')) return c.json(toUser(await readUser(db, id), now()));
    return c.json(toCoMember(await readCoMember(db, c.get('actor'), id)));
  })
  .patch('/user/:id', docs.update, body(updateBody), async (c) => {
    const { db, now } = c.get('services');
    const id = await requireSelf(c, c.req.param('id'));
    const { user, job } = await updateUser(db, id, c.req.valid('json'), now());
    if (job) await startReplans(c.get('services'), [job]);
    return c.json(toUser(user, now()));
  })
  .delete('/user/:id', docs.remove, async (c) => {
    const { now } = c.get('services');
    const id = await requireSelf(c, c.req.param('id'));
    await deleteUser(c.get('services'), id, now());
    c.get('forget')();
    return c.body(null, 204);
  })
  .get('/user/:id/avatar', docs.avatar, async (c) => {
    const id = resolveUser(c.req.param('id'), c.get('actor'));
    const user = await readCoMember(c.get('services').db, c.get('actor'), id);
    return c.body(avatarSvg(user), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      // Opened by itself it is a document: it may run and load nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=300',
    });
  })
  .put('/user/:id/pause', docs.pause, body(pauseBody), async (c) => {
    const { db, now } = c.get('services');
    const id = await requireSelf(c, c.req.param('id'));
    const user = await pauseUser(db, id, c.req.valid('json').until ?? forGood);
    return c.json(toUser(user, now()));
  })
  .delete('/user/:id/pause', docs.resume, async (c) => {
    const { db } = c.get('services');
    await pauseUser(db, await requireSelf(c, c.req.param('id')), null);
    return c.body(null, 204);
  });

const toCoMember = (user: { id: string; name: string }) => ({
  uri: `/user/${user.id}`,
  identifier: user.id,
  name: user.name,
  avatar: avatarPath(user.id),
});

/** While the user's reminders rest, `pausedUntil` says until when; null is for good. */
const toUser = (user: User, now: number) => ({
  ...toCoMember(user),
  timeZone: user.timeZone,
  customRemindersTime: user.customRemindersTime,
  devices: user.deviceIds,
  ...(user.pausedUntil !== null &&
    user.pausedUntil > now && { pausedUntil: user.pausedUntil === forGood ? null : iso(user.pausedUntil) }),
});
