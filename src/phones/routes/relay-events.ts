import { Hono } from 'hono';
import { notFound, Problem } from '../../errors.ts';
import { contextOf, type Env } from '../../http/context.ts';
import { documented } from '../../http/openapi/documented.ts';
import { nothing } from '../../http/openapi/shapes.ts';
import { messageUnhandled } from '../relay.ts';
import { applyRelayEvent } from '../relay-events.ts';

const refusals = {
  foreign: 'relay-event.foreign',
  forged: 'relay-event.forged',
  malformed: 'request.invalid',
  stale: 'relay-event.stale',
} as const;

/**
 * Events about pushes that the relay accepted earlier. There is no token: the message's signature proves its origin. A
 * 4xx ends a delivery; a 5xx makes the relay send it again (Amazon SNS, "Message delivery retries").
 */
export const relayEvents = new Hono<Env>().post(
  '/relay/events',
  documented({
    id: 'receiveRelayEvent',
    tag: 'Operations',
    summary: 'Receives events about endpoints from the push relay',
    description:
      'For the push relay (Amazon SNS) only, which signs its messages. The route exists only with a configured topic.',
    access: 'open',
    answers: nothing('The message was accepted.'),
    problems: [
      'request.invalid',
      'relay-event.foreign',
      'relay-event.forged',
      'relay-event.stale',
      'resource.not-found',
      'request.too-large',
      'rate.limited',
      'database.overloaded',
      'relay.unavailable',
    ],
  }),
  async (c) => {
    const context = contextOf(c);
    const { push, log, now } = context;
    const message = await push.receive(await c.req.text(), now);
    switch (message.state) {
      case 'off':
        throw notFound('resource');
      case 'refused':
        throw new Problem(refusals[message.why], message.detail);
      case 'unavailable':
        log({ event: 'relay.unavailable', doing: 'receive', error: message.error });
        throw messageUnhandled();
      case 'nothing':
        log({ event: 'relay.message', outcome: message.what });
        return c.body(null, 204);
      case 'event': {
        const outcome = await applyRelayEvent(context, message.event);
        log({ event: 'relay.message', kind: message.event.kind, outcome });
        return c.body(null, 204);
      }
    }
  },
);
