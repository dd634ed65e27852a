import { Hono } from 'hono';
import { notFound, Problem } from '../errors.ts';
import type { Env } from '../http/context.ts';
import { applyRelayEvent } from '../model/relay-events.ts';
import * as docs from './docs/operations.ts';

const refusals = {
  foreign: 'relay-event.foreign',
  forged: 'relay-event.forged',
  malformed: 'request.invalid',
  stale: 'relay-event.stale',
} as const;

/**
 * What the relay tells after it accepted a push. It has no token: the message's signature says whose it is. A 4xx ends
 * a delivery, a 5xx makes the relay send it again (Amazon SNS, "Message delivery retries").
 */
export const relayEvents = new Hono<Env>().post('/relay/events', docs.relayEvent, async (c) => {
  const { push, db, log, now } = c.get('services');
  const message = await push.receive(await c.req.text(), now());
  switch (message.state) {
    case 'off':
      throw notFound('resource');
    case 'refused':
      throw new Problem(refusals[message.why], message.detail);
    case 'unavailable':
      log({ event: 'relay.unavailable', doing: 'receive', error: message.error });
      throw new Problem('relay.unavailable', 'Nothing was done: send the message again.', {
        retryAfterSeconds: 20,
      });
    case 'nothing':
      log({ event: 'relay.message', outcome: message.what });
      return c.body(null, 204);
    case 'event': {
      const outcome = await applyRelayEvent({ db, push }, message.event, now());
      log({ event: 'relay.message', kind: message.event.kind, outcome });
      return c.body(null, 204);
    }
  }
});
