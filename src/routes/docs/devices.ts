import { z } from 'zod';
import { documented } from '../../http/openapi/documented.ts';
import { at, id, nothing, uri, zone } from '../../http/openapi/shapes.ts';

const tag = 'Devices';

const device = z
  .strictObject({
    uri: uri('/device'),
    identifier: id,
    user: uri('/user'),
    platform: z.string(),
    timeZone: zone,
    enabled: z.boolean(),
    createdAt: at,
    updatedAt: at,
  })
  .meta({ id: 'Device', description: "The token and the endpoint's name never leave the service." });
const deviceList = z.strictObject({ user: uri('/user'), devices: z.array(device) }).meta({ id: 'Devices' });
const testPush = z.strictObject({ device: id, messageId: z.string() }).meta({ id: 'TestPush' });

export const list = documented({
  id: 'listDevices',
  tag,
  summary: "Lists the caller's devices",
  answers: { 200: { description: 'In order of registration.', schema: deviceList } },
  problems: ['resource.not-found', 'action.forbidden'],
});

export const register = documented({
  id: 'registerDevice',
  tag,
  summary: 'Registers a phone for push notifications',
  description:
    'A token has one owner: registered by another user, it moves to them. The 11th phone retires the oldest.',
  request: { platform: 'android', token: 'the-token-of-the-phone', timeZone: 'Europe/Paris' },
  answers: {
    201: { description: 'The device.', schema: device },
    200: { description: 'The same device was registered before; its endpoint is healed.', schema: device },
  },
  problems: [
    'device.token-refused',
    'resource.not-found',
    'action.forbidden',
    'identifier.taken',
    'relay.unavailable',
  ],
});

export const update = documented({
  id: 'updateDevice',
  tag,
  summary: 'Changes the zone, the token or the identifier of a device',
  request: { timeZone: 'Asia/Tokyo' },
  answers: { 200: { description: 'The device as it is now.', schema: device } },
  problems: ['device.token-refused', 'resource.not-found', 'identifier.taken', 'relay.unavailable'],
});

export const remove = documented({
  id: 'deleteDevice',
  tag,
  summary: 'Deletes a device, also at the push relay',
  answers: nothing('It is gone.'),
  problems: ['resource.not-found', 'relay.unavailable'],
});

export const test = documented({
  id: 'testDevice',
  tag,
  summary: 'Sends a test push',
  answers: { 202: { description: 'The push relay took it.', schema: testPush } },
  problems: ['resource.not-found', 'device.disabled', 'relay.unavailable'],
});
