import { randomUUID } from 'node:crypto';
import { endpointArn, resourceOf } from './arns.ts';
import { type Call, invalidParameter, mapXml, readMap, required, SnsError, type Xml } from './protocol.ts';
import { publish } from './publish.ts';
import type { Endpoint } from './state.ts';

type Settings = Partial<Pick<Endpoint, 'token' | 'enabled' | 'customUserData'>>;

/** Each returns the content of `<ActionResult>`, if the action has one, or throws an `SnsError`. */
export const actions = {
  /** A known token returns its endpoint as it is, enabled or not. Only given settings that differ are an error. */
  CreatePlatformEndpoint(call) {
    const { application, platform } = findApplication(call);
    const userData = call.params.get('CustomUserData');
    const settings = {
      ...(userData !== undefined && { customUserData: checkBytes('CustomUserData', userData, 2048) }),
      ...readSettings(call, platform),
      token: checkToken(required(call, 'Token'), platform),
    };
    const existing = call.state.findByToken(application, settings.token);
    if (!existing) {
      const arn = endpointArn(application, randomUUID());
      call.state.putEndpoint({ arn, application, platform, enabled: true, customUserData: '', ...settings });
      return { EndpointArn: arn };
    }
    const names = Object.keys(settings) as (keyof Settings)[];
    if (names.every((name) => existing[name] === settings[name])) return { EndpointArn: existing.arn };
    throw invalidParameter(
      `Token Reason: Endpoint ${existing.arn} already exists with the same Token, but different attributes.`,
    );
  },

  GetEndpointAttributes(call) {
    const { enabled, token, customUserData } = findEndpoint(call);
    const data = customUserData && { CustomUserData: customUserData };
    return { Attributes: mapXml({ Enabled: String(enabled), Token: token, ...data }) };
  },

  SetEndpointAttributes(call) {
    const endpoint = findEndpoint(call);
    const settings = readSettings(call, endpoint.platform);
    const holder = call.state.findByToken(endpoint.application, settings.token ?? endpoint.token);
    if (holder && holder.arn !== endpoint.arn)
      throw invalidParameter('This endpoint is already registered with a different token.');
    return call.state.putEndpoint({ ...endpoint, ...settings });
  },

  /** Deleting a missing endpoint succeeds. */
  DeleteEndpoint(call) {
    const arn = required(call, 'EndpointArn');
    resourceOf(arn, 'EndpointArn', 'endpoint');
    return call.state.deleteEndpoint(arn);
  },

  Publish: publish,
} satisfies Record<string, (call: Call) => Xml | undefined>;

export type ActionName = keyof typeof actions;

function findApplication(call: Call) {
  const application = required(call, 'PlatformApplicationArn');
  const [, platform = ''] = resourceOf(application, 'PlatformApplicationArn', 'app');
  if (!call.state.applications.has(application))
    throw new SnsError('NotFound', 'PlatformApplication does not exist');
  return { application, platform };
}

function findEndpoint(call: Call): Endpoint {
  const arn = required(call, 'EndpointArn');
  resourceOf(arn, 'EndpointArn', 'endpoint');
  const endpoint = call.state.endpoints.get(arn);
  if (!endpoint) throw new SnsError('NotFound', 'Endpoint does not exist');
  return endpoint;
}

function readSettings(call: Call, platform: string): Settings {
  const settings: Settings = {};
  for (const [name, value] of Object.entries(readMap(call, 'Attributes'))) {
    if (name === 'Token') settings.token = checkToken(value, platform);
    else if (name === 'Enabled') settings.enabled = checkEnabled(value);
    else if (name === 'CustomUserData') settings.customUserData = checkBytes(name, value, 2048);
    else throw invalidParameter(`Attributes Reason: Unknown attribute ${name}`);
  }
  return settings;
}

/** AWS also insists that Apple's tokens are hexadecimal; here a developer may give a phone a readable one. */
function checkToken(token: string, platform: string): string {
  if (token.trim() === '') throw invalidParameter('Token Reason: cannot be empty');
  const limit = 'no more than 400 hexadecimal characters';
  if (platform.startsWith('APNS') && token.length > 400)
    throw invalidParameter(`Token Reason: iOS device tokens must be ${limit}`);
  return checkBytes('Token', token, 8192);
}

function checkEnabled(value: string): boolean {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalidParameter('Attributes Reason: Enabled must be true or false');
}

function checkBytes(name: string, value: string, limit: number): string {
  if (Buffer.byteLength(value) <= limit) return value;
  throw invalidParameter(`${name} Reason: must be at most ${limit} bytes long in UTF-8 encoding`);
}
