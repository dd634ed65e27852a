import { randomUUID } from 'node:crypto';
import { checkTargetArn } from './arns.ts';
import type { Context } from './context.ts';
import { invalidParameter, SnsError } from './errors.ts';
import { readMessageAttributes } from './message-attributes.ts';
import { type Params, required } from './params.ts';
import { type Payload, readPayload } from './payloads.ts';
import type { Endpoint, State } from './state.ts';
import type { XmlElements } from './xml.ts';

const MAX_MESSAGE_BYTES = 262_144;
const MAX_SUBJECT_LENGTH = 100;

/** Publish to one phone. What is accepted goes into the inbox, duplicates too. */
export function publish(params: Params, { state, now }: Context): XmlElements {
  const payloads = readMessage(params);
  const attributes = readMessageAttributes(params);
  const { arn, platform, token } = findTarget(params, state);

  const { tag, ...shown } = payloads.get(platform) ?? defaultPayload(params, payloads);
  const collapseId = platform.startsWith('APNS')
    ? (attributes['AWS.SNS.MOBILE.APNS.COLLAPSE_ID'] ?? null)
    : tag;
  const messageId = randomUUID();
  const at = new Date(now()).toISOString();
  state.addPush({ at, endpointArn: arn, platform, token, ...shown, attributes, messageId, collapseId });
  return { MessageId: messageId };
}

/** The message's payload by platform, all of them checked, and `default`. */
function readMessage(params: Params): Map<string, Payload> {
  const message = required(params, 'Message');
  if (message === '') throw invalidParameter('Empty message');
  if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) throw invalidParameter('Message too long');
  const subject = params.get('Subject') ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what SNS refuses here
  if (subject.length > MAX_SUBJECT_LENGTH || /[\x00-\x1f\x7f]/.test(subject))
    throw invalidParameter('Subject');

  const structure = params.get('MessageStructure');
  if (structure === undefined) return new Map([['default', readPayload('default', message)]]);
  if (structure !== 'json') throw invalidParameter('Invalid message structure. Must be json');
  return new Map(parseStructure(message).map(([platform, text]) => [platform, readPayload(platform, text)]));
}

function parseStructure(message: string): [string, string][] {
  let structure: unknown;
  try {
    structure = JSON.parse(message);
  } catch {
    throw invalidParameter('Message Structure - JSON message body failed to parse');
  }
  if (typeof structure !== 'object' || structure === null || Array.isArray(structure)) {
    throw invalidParameter('Message Structure - JSON message body must be an object');
  }
  const texts = Object.entries(structure);
  for (const [platform, text] of texts) {
    if (typeof text !== 'string')
      throw invalidParameter(`Message Structure - the value of ${platform} must be a string`);
  }
  if (!Object.hasOwn(structure, 'default')) {
    throw invalidParameter('Message Structure - No default entry in JSON message body');
  }
  return texts;
}

function findTarget(params: Params, state: State): Endpoint {
  if (params.has('TopicArn')) throw new SnsError('NotFound', 'Topic does not exist');
  const arn = params.get('TargetArn');
  if (arn === undefined)
    throw invalidParameter('TopicArn or TargetArn Reason: no value for required parameter');
  const endpoint = state.endpoints.get(checkTargetArn(arn));
  if (!endpoint) throw invalidParameter('TargetArn Reason: No endpoint found for the target arn specified');
  if (state.applications.get(endpoint.application)?.attributes.Enabled === 'false') {
    throw new SnsError('PlatformApplicationDisabled', 'Platform application is disabled');
  }
  if (!endpoint.enabled) throw new SnsError('EndpointDisabled', 'Endpoint is disabled');
  return endpoint;
}

function defaultPayload(params: Params, payloads: Map<string, Payload>): Payload {
  const body = payloads.get('default')?.body ?? null;
  return { title: params.get('Subject') ?? null, body, data: {}, tag: null };
}
