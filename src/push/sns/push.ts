import { withDeadline } from '../../outgoing.ts';
import type { PushMessage, PushService } from '../../services.ts';
import { checkEndpoint, ensureEndpoint, type SnsCall } from './endpoints.ts';
import { classify, describeFault, isMissingEndpoint, isRefusedToken, toFault } from './errors.ts';
import { createSnsEvents } from './events.ts';
import { fitsPushServices, pushPayload } from './payloads.ts';
import { type Post, type SnsConnection, webPost } from './post.ts';
import { createSnsQuery, expectText } from './query.ts';

export interface SnsSettings extends SnsConnection {
  /** From platform name (`ios`, `android`) to platform application ARN. */
  platformApplications: Record<string, string>;
  /** ARNs of the topics whose messages `receive` takes. Default: none. */
  eventTopics?: readonly string[] | undefined;
  /** Bounds one method, all its calls together. Default 5000. */
  timeoutMs?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** How calls are signed and sent. Default: with WebCrypto and `fetch`. */
  post?: ((connection: SnsConnection) => Post) | undefined;
}

/**
 * The push relay over AWS SNS. Its methods return an outcome, never throw, and never repeat a failed call. `register`
 * returns `refused` for a token that SNS refuses and for a platform that is not configured. Throws a TypeError when
 * `endpoint` is not a URL.
 */
export function createSns({
  platformApplications,
  eventTopics = [],
  timeoutMs = 5000,
  fetch: send = (input, init) => fetch(input, init),
  post = (connection) => webPost(connection, send),
  ...connection
}: SnsSettings): PushService {
  const query = createSnsQuery(post(connection));
  const { endpoint } = connection;
  const applications = new Map(Object.entries(platformApplications));

  function withCalls<T>(work: (call: SnsCall) => Promise<T>): Promise<T> {
    return withDeadline(timeoutMs, (deadline) =>
      work((action, parameters) => query(action, parameters, deadline)),
    );
  }

  return {
    platforms: [...applications.keys()],
    fits: fitsPushServices,

    async register({ platform, token, endpoint }) {
      const application = applications.get(platform);
      if (application === undefined) return { state: 'refused', error: 'UnknownPlatform' };
      try {
        const arn = await withCalls((call) => ensureEndpoint(call, { application, token, endpoint }));
        return { state: 'registered', endpoint: arn };
      } catch (error) {
        const fault = toFault(error);
        const reason = describeFault(fault, token);
        return isRefusedToken(fault)
          ? { state: 'refused', error: reason }
          : {
              state: 'unavailable',
              error: reason,
              ...(classify(fault) === 'misconfigured' && { misconfigured: true }),
            };
      }
    },

    async remove(endpoint) {
      try {
        await withCalls((call) => call('DeleteEndpoint', { EndpointArn: endpoint }));
        return { state: 'removed' };
      } catch (error) {
        if (isMissingEndpoint(error)) return { state: 'removed' };
        return { state: 'unavailable', error: describeFault(toFault(error)) };
      }
    },

    async check({ endpoint, token }) {
      try {
        return { state: await withCalls((call) => checkEndpoint(call, endpoint, token)) };
      } catch (error) {
        return { state: 'unavailable', error: describeFault(toFault(error), token) };
      }
    },

    receive: createSnsEvents({ topics: eventTopics, endpoint, fetch: send, timeoutMs }),

    async send(message) {
      try {
        const xml = await withCalls((call) => call('Publish', publishParameters(message)));
        return { state: 'sent', messageId: expectText(xml, 'MessageId') };
      } catch (error) {
        const fault = toFault(error);
        return { state: classify(fault), error: describeFault(fault) };
      }
    },
  };
}

/** Amazon SNS API, "Publish": message attributes are numbered from 1. */
function publishParameters(message: PushMessage): Record<string, string> {
  const payload = pushPayload(message);
  const attributes = Object.entries(payload.attributes).flatMap(([name, value], index) => {
    const entry = `MessageAttributes.entry.${index + 1}`;
    return [
      [`${entry}.Name`, name],
      [`${entry}.Value.DataType`, 'String'],
      [`${entry}.Value.StringValue`, value],
    ];
  });
  return {
    TargetArn: message.endpoint,
    MessageStructure: 'json',
    Message: payload.message,
    ...Object.fromEntries(attributes),
  };
}
