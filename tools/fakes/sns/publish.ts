import { randomUUID } from 'node:crypto';
import { resourceOf } from './arns.ts';
import { type Payload, readPayload } from './payloads.ts';
import { type Call, invalidParameter, readMap, required, SnsError } from './protocol.ts';
import type { Endpoint } from './state.ts';

const maxMessageBytes = 262_144;

/** Publish to one phone. Accepted pushes go to the inbox, duplicates included. */
export function publish(call: Call) {
  const { params, state, now } = call;
  const payloads = readMessage(call);
  const attributes = readMessageAttributes(call);
  const { arn: endpointArn, platform, token } = findTarget(call);

  const { tag, ...shown } = payloads.get(platform) ?? {
    title: params.get('Subject') ?? null,
    body: payloads.get('default')?.body ?? null,
    data: {},
    tag: null,
  };
  const collapseId = platform.startsWith('APNS')
    ? (attributes['AWS.SNS.MOBILE.APNS.COLLAPSE_ID'] ?? null)
    : tag;
  const messageId = randomUUID();
  const at = new Date(now).toISOString();
  state.addPush({ at, endpointArn, platform, token, ...shown, attributes, messageId, collapseId });
  return { MessageId: messageId };
}

/** The payload of each platform in the message, all of them checked, and of `default`. */
function readMessage(call: Call): Map<string, Payload> {
  const { params } = call;
  const message = required(call, 'Message');
  if (message === '') throw invalidParameter('Empty message');
  if (Buffer.byteLength(message) > maxMessageBytes) throw invalidParameter('Message too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what SNS refuses here
  if (!/^[^\x00-\x1f\x7f]{0,100}$/.test(params.get('Subject') ?? '')) throw invalidParameter('Subject');

  const structure = params.get('MessageStructure');
  if (structure === undefined) return new Map([['default', readPayload('default', message)]]);
  if (structure !== 'json') throw invalidParameter('Invalid message structure. Must be json');
  const texts = Object.entries(parseStructure(message));
  return new Map(texts.map(([platform, text]) => [platform, readPayload(platform, text)]));
}

function parseStructure(message: string): Record<string, string> {
  const refuse = (reason: string) => invalidParameter(`Message Structure - ${reason}`);
  let structure: unknown;
  try {
    structure = JSON.parse(message);
  } catch {
    throw refuse('JSON message body failed to parse');
  }
  if (typeof structure !== 'object' || structure === null || Array.isArray(structure))
    throw refuse('JSON message body must be an object');
  for (const [platform, text] of Object.entries(structure))
    if (typeof text !== 'string') throw refuse(`the value of ${platform} must be a string`);
  if (!Object.hasOwn(structure, 'default')) throw refuse('No default entry in JSON message body');
  return structure as Record<string, string>;
}

function findTarget({ params, state }: Call): Endpoint {
  if (params.has('TopicArn')) throw new SnsError('NotFound', 'Topic does not exist');
  const arn = params.get('TargetArn');
  if (arn === undefined)
    throw invalidParameter('TopicArn or TargetArn Reason: no value for required parameter');
  resourceOf(arn, 'TargetArn');
  const endpoint = state.endpoints.get(arn);
  if (!endpoint) throw invalidParameter('TargetArn Reason: No endpoint found for the target arn specified');
  if (!endpoint.enabled) throw new SnsError('EndpointDisabled', 'Endpoint is disabled');
  return endpoint;
}

const upTo = (max: number) => (value: string) => /^\d{1,10}$/.test(value) && Number(value) <= max;
const oneOf = (words: string) => (value: string) => words.split(' ').includes(value);
const bytes = (max: number) => (value: string) => value !== '' && Buffer.byteLength(value) <= max;

/** FCM keeps a push for four weeks at most. */
const fcmTtl = upTo(4 * 7 * 24 * 3600);
const apnsTtl = upTo(2 ** 31 - 1);
const pushTypes =
  'alert background complication controls fileprovider liveactivity location mdm pushtotalk voip widgets';

/** The attributes under `AWS.SNS.MOBILE.`: docs.aws.amazon.com/sns/latest/dg/sns-message-attributes.html. */
const rules: Record<string, (value: string) => boolean> = {
  'FCM.TTL': fcmTtl,
  'GCM.TTL': fcmTtl,
  'APNS.TTL': apnsTtl,
  'APNS_SANDBOX.TTL': apnsTtl,
  'APNS.PRIORITY': oneOf('5 10'),
  'APNS.PUSH_TYPE': oneOf(pushTypes),
  'APNS.COLLAPSE_ID': bytes(64),
  'APNS.TOPIC': bytes(256),
};

/** `MessageAttributes.entry.N.{Name, Value.DataType, Value.StringValue}` as a map of name to string value. */
function readMessageAttributes(call: Call): Record<string, string> {
  for (const type of Object.values(readMap(call, 'MessageAttributes', 'Name', 'Value.DataType')))
    if (!/^(String|Number)(\.|$)/.test(type))
      throw refuseAttribute(`DataType ${type} is not one of String, String.Array and Number`);
  const attributes = readMap(call, 'MessageAttributes', 'Name', 'Value.StringValue');
  for (const [name, value] of Object.entries(attributes)) {
    if (!/^[\w.-]{1,256}$/.test(name))
      throw refuseAttribute(`${name} is not a name of letters, digits, "_", "-" and "."`);
    const [, reserved] = /^AWS\.SNS\.MOBILE\.((?:APNS|FCM|GCM).*)$/.exec(name) ?? [];
    if (reserved === undefined) continue;
    // AWS ignores a misspelt name silently; here it is found.
    if (!rules[reserved]) throw refuseAttribute(`${name} is not an attribute of SNS`);
    if (!rules[reserved](value)) throw refuseAttribute(`${name} cannot be '${value}'`);
  }
  return attributes;
}

const refuseAttribute = (reason: string) => invalidParameter(`MessageAttributes Reason: ${reason}`);
