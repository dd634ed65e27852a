import { Hono } from 'hono';
import { z } from 'zod';
import { invalid } from '../errors.ts';
import { requireSelf, resolveUser } from '../http/auth/require-self.ts';
import { contextOf, type Env } from '../http/context.ts';
import { statusOf } from '../http/created.ts';
import { avatarPath, instant, iso, timeZone, wallTime } from '../http/fields.ts';
import { documented, json } from '../http/openapi/documented.ts';
import { examples } from '../http/openapi/examples.ts';
import { at, avatar, id, nothing, uri, zone } from '../http/openapi/shapes.ts';
import { body, identifier, name, query } from '../http/validation.ts';
import { pauseReminders } from '../model/pauses.ts';
import { signUp } from '../model/sign-ups.ts';
import { deleteUser, readCoMember, readUser, type User, updateUser } from '../model/users.ts';
import { indefinitely } from '../schedule/pauses.ts';

const tag = 'Users';

const profile = {
  name,
  timeZone: timeZone.nullable(),
  customRemindersTime: wallTime.nullable(),
};
const signUpBody = z
  .strictObject({
    ...profile,
    acceptInvitations: z.boolean({ error: 'Expected true or false.' }).default(true),
  })
  .partial({ timeZone: true, customRemindersTime: true });
const updateBody = z.strictObject(profile).partial();
const ofStudy = { investigation: identifier.optional() };
const pauseBody = z.strictObject({ until: instant.nullable(), ...ofStudy });

const shared = { uri: uri('/user'), identifier: id, name: z.string(), avatar };
const coMember = z
  .strictObject(shared)
  .meta({ id: 'CoMember', description: 'What people who share a study see.' });
const user = z
  .strictObject({
    ...shared,
    timeZone: zone.nullable(),
    customRemindersTime: z
      .string()
      .regex(/^[0-9]{2}:[0-9]{2}$/)
      .nullable(),
    devices: z.array(id),
    pausedUntil: at
      .nullable()
      .optional()
      .meta({ description: 'Only while all reminders are paused; null: indefinitely.' }),
    pausedStudies: z
      .array(z.strictObject({ investigation: id, until: at.nullable() }))
      .optional()
      .meta({
        description: 'Only while the reminders of single studies are paused; `until` null: indefinitely.',
      }),
  })
  .meta({ id: 'User', description: 'What users see of themselves.' });

const { responder } = examples;
const example: z.input<typeof user> = {
  uri: `/user/${responder.identifier}`,
  identifier: responder.identifier,
  name: responder.name,
  avatar: avatarPath(responder.identifier),
  timeZone: 'Europe/Paris',
  customRemindersTime: '21:30',
  devices: [examples.device.identifier],
};

/** Signing up needs a token, but no user yet. */
export const signUps = new Hono<Env>().post(
  '/user',
  documented({
    id: 'signUp',
    tag,
    summary: 'Signs the caller up',
    description:
      "Invitations that wait for the token's verified e-mail address become memberships, unless `acceptInvitations` is false; then they wait at `/user/me/invitations`.",
    access: 'token',
    request: { name: responder.name, timeZone: 'Europe/Paris', customRemindersTime: '21:30' },
    answers: {
      201: json('The user.', user, { ...example, devices: [] }),
      200: json(
        'The user, who had signed up before; only invitations that wait by now are accepted.',
        user,
        example,
      ),
    },
  }),
  body(signUpBody),
  async (c) => {
    const context = contextOf(c);
    const signedUp = await signUp(context, c.get('identity'), c.req.valid('json'));
    c.get('forget')();
    const { user, created } = signedUp;
    return c.json(toUser(user, context.now), statusOf(c, { created, location: `/user/${user.id}` }));
  },
);

export const users = new Hono<Env>()
  .get(
    '/user/:id',
    documented({
      id: 'readUser',
      tag,
      summary: 'Reads a user',
      answers: {
        200: json('The caller, or a user who shares a study with them.', z.union([user, coMember]), example),
      },
      problems: ['resource.not-found'],
    }),
    async (c) => {
      const context = contextOf(c);
      const id = resolveUser(c.req.param('id'), context.actor);
      if (id === context.actor) return c.json(toUser(await readUser(context, id), context.now));
      return c.json(toCoMember(await readCoMember(context, id)));
    },
  )
  .patch(
    '/user/:id',
    documented({
      id: 'updateUser',
      tag,
      summary: 'Changes the caller',
      request: { customRemindersTime: '20:00' },
      answers: { 200: json('The user as they are now.', user, { ...example, customRemindersTime: '20:00' }) },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    body(updateBody),
    async (c) => {
      const context = contextOf(c);
      const id = await requireSelf(context, c.req.param('id'));
      return c.json(toUser(await updateUser(context, id, c.req.valid('json')), context.now));
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
      answers: nothing('They are gone.'),
      problems: ['resource.not-found', 'action.forbidden', 'member.last-owner', 'relay.unavailable'],
    }),
    async (c) => {
      const context = contextOf(c);
      await deleteUser(context, await requireSelf(context, c.req.param('id')));
      c.get('forget')();
      return c.body(null, 204);
    },
  )
  .put(
    '/user/:id/pause',
    documented({
      id: 'pauseReminders',
      tag,
      summary: 'Pauses all reminders of the caller, or those of one study',
      description:
        '`until` null is indefinitely. With `investigation`, only the reminders of that study; the two kinds of pause do not end each other. Leaving a study ends its pause.',
      request: { until: '2027-04-01T00:00:00Z' },
      answers: {
        200: json('The user as they are now.', user, { ...example, pausedUntil: '2027-04-01T00:00:00.000Z' }),
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
      return c.json(toUser(await readUser(context, id), context.now));
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

const toCoMember = ({ id, name }: Pick<User, 'id' | 'name'>): z.input<typeof coMember> => ({
  uri: `/user/${id}`,
  identifier: id,
  name,
  avatar: avatarPath(id),
});

const toUser = (row: User, now: number): z.input<typeof user> => ({
  ...toCoMember(row),
  timeZone: row.timeZone,
  customRemindersTime: row.customRemindersTime,
  devices: row.deviceIds,
  ...(row.pausedUntil !== null && row.pausedUntil > now && { pausedUntil: toEnd(row.pausedUntil) }),
  ...(row.studyPauses.length > 0 && {
    pausedStudies: row.studyPauses.map(({ investigation, until }) => ({
      investigation,
      until: toEnd(until),
    })),
  }),
});

const toEnd = (until: number) => (until === indefinitely ? null : iso(until));
