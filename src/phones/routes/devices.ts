import { Hono } from 'hono';
import * as z from 'zod';
import { requireSelf } from '../../http/auth/require-self.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { statusOf } from '../../http/created.ts';
import { iso, languageTag, timeZone } from '../../http/fields.ts';
import { documented, json } from '../../http/openapi/documented.ts';
import { examples } from '../../http/openapi/examples.ts';
import { at, id, nothing, uri, zone } from '../../http/openapi/shapes.ts';
import { body, chosenIdentifier, text } from '../../http/validation.ts';
import { listDevices, readDevice, testDevice } from '../devices.ts';
import { registerDevice } from '../registration.ts';
import { deleteDevice } from '../removal.ts';
import type { Phone } from '../statements.ts';
import { updateDevice } from '../update.ts';

const tag = 'Devices';

const token = text(1, 4096).regex(
  /^[\x21-\x7e]*$/,
  'Expected a token as the phone gave it: ASCII without spaces.',
);
const language = languageTag
  .nullable()
  .meta({ description: 'The language of reminders on this phone, if they are translated.' });
const zoneOfPhone = timeZone.nullable().meta({
  description: 'Null, or absent: the phone knows none, and that of the user or the study holds.',
});
const registerBody = z.strictObject({
  platform: text(1, 32),
  token,
  timeZone: zoneOfPhone.default(null),
  identifier: chosenIdentifier.optional(),
  language: language.optional(),
});
const updateBody = z
  .strictObject({ timeZone: zoneOfPhone, token, identifier: chosenIdentifier, language })
  .partial();

const device = z
  .strictObject({
    uri: uri('/device'),
    identifier: id,
    user: uri('/user'),
    platform: z.string(),
    timeZone: zone.nullable(),
    language: z.string().optional().meta({ description: 'Only of devices that have sent it.' }),
    enabled: z.boolean(),
    createdAt: at,
    updatedAt: at,
  })
  .meta({ id: 'Device', description: "The token and the endpoint's name never leave the service." });
const deviceList = z.strictObject({ user: uri('/user'), devices: z.array(device) }).meta({ id: 'Devices' });
const testPush = z.strictObject({ device: id, messageId: z.string() }).meta({ id: 'TestPush' });

const phone: z.input<typeof device> = {
  uri: `/device/${examples.device.identifier}`,
  identifier: examples.device.identifier,
  user: `/user/${examples.responder.identifier}`,
  platform: 'android',
  timeZone: 'Europe/Paris',
  language: 'fr-FR',
  enabled: true,
  createdAt: '2027-03-01T08:00:00.000Z',
  updatedAt: '2027-03-01T08:00:00.000Z',
};

export const devices = new Hono<Env>()
  .get(
    '/user/:id/devices',
    documented({
      id: 'listDevices',
      tag,
      summary: "Lists the caller's devices",
      answers: { 200: json('In order of registration.', deviceList, { user: phone.user, devices: [phone] }) },
      problems: ['resource.not-found', 'action.forbidden'],
    }),
    async (c) => {
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const rows = await listDevices(context, user);
      const list: z.input<typeof deviceList> = { user: `/user/${user}`, devices: rows.map(toDevice) };
      return c.json(list);
    },
  )
  .post(
    '/user/:id/device',
    documented({
      id: 'registerDevice',
      tag,
      summary: 'Registers a phone for push notifications',
      description:
        'A token has one owner: registered by another user, it moves to them. The 11th phone replaces the least recently seen.',
      request: {
        platform: 'android',
        token: 'the-token-of-the-phone',
        timeZone: 'Europe/Paris',
        language: 'fr-FR',
      },
      answers: {
        201: json('The device.', device, phone),
        200: json('The same device was registered before; its endpoint is healed.', device, {
          ...phone,
          updatedAt: '2027-03-02T07:15:00.000Z',
        }),
      },
      problems: [
        'device.token-refused',
        'resource.not-found',
        'action.forbidden',
        'identifier.taken',
        'relay.unavailable',
      ],
    }),
    body(registerBody),
    async (c) => {
      const context = contextOf(c);
      const user = await requireSelf(context, c.req.param('id'));
      const { device, created } = await registerDevice(context, user, {
        ...c.req.valid('json'),
        subject: c.get('identity').subject,
      });
      return c.json(toDevice(device), statusOf(c, { created, location: `/device/${device.id}` }));
    },
  )
  .get(
    '/device/:id',
    documented({
      id: 'readDevice',
      tag,
      summary: "Reads one of the caller's devices",
      answers: { 200: json('The device.', device, phone) },
      problems: ['resource.not-found'],
    }),
    async (c) => c.json(toDevice(await readDevice(contextOf(c), c.req.param('id')))),
  )
  .patch(
    '/device/:id',
    documented({
      id: 'updateDevice',
      tag,
      summary: 'Changes the zone, the language, the token or the identifier of a device',
      request: { timeZone: 'Asia/Tokyo' },
      answers: {
        200: json('The device as it is now.', device, {
          ...phone,
          timeZone: 'Asia/Tokyo',
          updatedAt: '2027-03-08T19:40:00.000Z',
        }),
      },
      problems: ['device.token-refused', 'resource.not-found', 'identifier.taken', 'relay.unavailable'],
    }),
    body(updateBody),
    async (c) => c.json(toDevice(await updateDevice(contextOf(c), c.req.param('id'), c.req.valid('json')))),
  )
  .delete(
    '/device/:id',
    documented({
      id: 'deleteDevice',
      tag,
      summary: 'Deletes a device, also at the push relay',
      answers: nothing('The device is deleted.'),
      problems: ['resource.not-found', 'relay.unavailable'],
    }),
    async (c) => {
      await deleteDevice(contextOf(c), c.req.param('id'));
      return c.body(null, 204);
    },
  )
  .post(
    '/device/:id/test',
    documented({
      id: 'testDevice',
      tag,
      summary: 'Sends a test push',
      answers: {
        202: json('The push relay accepted it.', testPush, {
          device: phone.identifier,
          messageId: '6014fe16-26c1-5a8e-b1d3-a2b5e1f0c7d4',
        }),
      },
      problems: ['resource.not-found', 'device.disabled', 'device.push-refused', 'relay.unavailable'],
    }),
    async (c) => {
      const device = c.req.param('id');
      const sent: z.input<typeof testPush> = { device, messageId: await testDevice(contextOf(c), device) };
      return c.json(sent, 202);
    },
  );

/** Leaves out the token and the endpoint, which never leave the service. */
const toDevice = (row: Phone): z.input<typeof device> => ({
  uri: `/device/${row.id}`,
  identifier: row.id,
  user: `/user/${row.userId}`,
  platform: row.platform,
  timeZone: row.timeZone,
  ...(row.language !== null && { language: row.language }),
  enabled: row.enabled,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});
