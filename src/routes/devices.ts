import { Hono } from 'hono';
import { z } from 'zod';
import { Problem } from '../errors.ts';
import { requireSelf } from '../http/auth/require-self.ts';
import type { Env } from '../http/context.ts';
import { iso, timeZone } from '../http/fields.ts';
import { body, identifier, text } from '../http/validation.ts';
import { newIdentifier } from '../identifiers.ts';
import { startReplans } from '../jobs/outbox.ts';
import {
  type Device,
  deleteDevice,
  disableDevice,
  listDevices,
  readDevice,
  registerDevice,
  updateDevice,
} from '../model/devices.ts';
import * as docs from './docs/devices.ts';

const token = text(1, 4096).regex(
  /^[\x21-\x7e]*$/,
  'Expected a token as the phone gave it: ASCII without spaces.',
);
const registerBody = z.strictObject({
  platform: text(1, 32),
  token,
  timeZone,
  identifier: identifier.optional(),
});
const updateBody = z.strictObject({ timeZone, token, identifier }).partial();
const testTtlSeconds = 300;

export const devices = new Hono<Env>()
  .get('/user/:id/devices', docs.list, async (c) => {
    const user = await requireSelf(c, c.req.param('id'));
    const rows = await listDevices(c.get('services').db, user);
    return c.json({ user: `/user/${user}`, devices: rows.map(toDevice) });
  })
  .post('/user/:id/device', docs.register, body(registerBody), async (c) => {
    const services = c.get('services');
    const user = await requireSelf(c, c.req.param('id'));
    const { device, created, jobs } = await registerDevice(
      services,
      user,
      c.req.valid('json'),
      services.now(),
    );
    for (const job of jobs) await startReplans(c.get('services'), [job]);
    return c.json(toDevice(device), created ? 201 : 200);
  })
  .patch('/device/:id', docs.update, body(updateBody), async (c) => {
    const services = c.get('services');
    const change = c.req.valid('json');
    const { device, jobs } = await updateDevice(
      services,
      c.get('actor'),
      c.req.param('id'),
      change,
      services.now(),
    );
    for (const job of jobs) await startReplans(c.get('services'), [job]);
    return c.json(toDevice(device));
  })
  .delete('/device/:id', docs.remove, async (c) => {
    const services = c.get('services');
    const { jobs } = await deleteDevice(services, c.get('actor'), c.req.param('id'), services.now());
    for (const job of jobs) await startReplans(c.get('services'), [job]);
    return c.body(null, 204);
  })
  .post('/device/:id/test', docs.test, async (c) => {
    const { db, push, log, now } = c.get('services');
    const device = await readDevice(db, c.get('actor'), c.req.param('id'));
    if (!device.enabled) throw disabled();
    const outcome = await push.send({
      endpoint: device.endpoint,
      title: 'Test',
      body: 'This phone is reached.',
      data: { test: 'true' },
      collapseId: newIdentifier(now()),
      ttlSeconds: testTtlSeconds,
    });
    if (outcome.state === 'sent') return c.json({ device: device.id, messageId: outcome.messageId }, 202);
    log({ event: 'relay.test-failed', state: outcome.state, error: outcome.error });
    if (outcome.state === 'gone') {
      await disableDevice(db, device, now());
      throw disabled();
    }
    if (outcome.state === 'failed')
      throw new Problem('internal.error', `The push relay refused the test: ${outcome.error}.`);
    throw new Problem('relay.unavailable', `The push relay did not take the test: ${outcome.error}.`, {
      retryAfterSeconds: 5,
    });
  });

const disabled = () =>
  new Problem('device.disabled', 'The push relay no longer reaches this device: register it again.');

/** Neither the token nor the endpoint's name leaves the service. */
const toDevice = (device: Device) => ({
  uri: `/device/${device.id}`,
  identifier: device.id,
  user: `/user/${device.userId}`,
  platform: device.platform,
  timeZone: device.timeZone,
  enabled: device.enabled,
  createdAt: iso(device.createdAt),
  updatedAt: iso(device.updatedAt),
});
