import { randomUUID } from 'node:crypto';
import { findApplication } from './applications.ts';
import { checkEndpointArn, endpointArn } from './arns.ts';
import type { Context } from './context.ts';
import { invalidParameter, SnsError } from './errors.ts';
import { attributesOf, type Params, required } from './params.ts';
import type { Endpoint, State } from './state.ts';
import { mapEntries, type XmlElements } from './xml.ts';

type Settings = Partial<Pick<Endpoint, 'token' | 'enabled' | 'customUserData'>>;

const PAGE_SIZE = 100;
const MAX_TOKEN_BYTES = 8192;
const MAX_IOS_TOKEN_LENGTH = 400;
const MAX_USER_DATA_BYTES = 2048;

/**
 * CreatePlatformEndpoint. A token that is known gives its endpoint as it is, enabled or not; only settings that
 * are given and differ are an error.
 */
export function createPlatformEndpoint(params: Params, { state }: Context): XmlElements {
  const { arn: application, platform } = findApplication(params, state.applications);
  const token = checkToken(required(params, 'Token'), platform);
  const customUserData = params.get('CustomUserData');
  const settings: Settings = {
    ...(customUserData !== undefined && { customUserData: checkUserData(customUserData) }),
    ...readSettings(attributesOf(params), platform),
    token,
  };

  const existing = state.findByToken(application, token);
  if (existing) {
    const differs = Object.entries(settings).some(
      ([name, value]) => existing[name as keyof Settings] !== value,
    );
    if (!differs) return { EndpointArn: existing.arn };
    throw invalidParameter(
      `Token Reason: Endpoint ${existing.arn} already exists with the same Token, but different attributes.`,
    );
  }
  const arn = endpointArn(application, randomUUID());
  state.putEndpoint({ arn, application, platform, enabled: true, customUserData: '', ...settings, token });
  return { EndpointArn: arn };
}

/** GetEndpointAttributes. */
export function getEndpointAttributes(params: Params, { state }: Context): XmlElements {
  return { Attributes: endpointAttributes(findEndpoint(params, state)) };
}

/** SetEndpointAttributes. A token that another endpoint of the application has is refused. */
export function setEndpointAttributes(params: Params, { state }: Context): undefined {
  const endpoint = findEndpoint(params, state);
  const settings = readSettings(attributesOf(params), endpoint.platform);
  const owner = settings.token !== undefined && state.findByToken(endpoint.application, settings.token);
  if (owner && owner.arn !== endpoint.arn) {
    throw invalidParameter('This endpoint is already registered with a different token.');
  }
  state.putEndpoint({ ...endpoint, ...settings });
}

/** DeleteEndpoint. Deleting a missing one succeeds. */
export function deleteEndpoint(params: Params, { state }: Context): undefined {
  state.deleteEndpoint(checkEndpointArn(required(params, 'EndpointArn')));
}

/** ListEndpointsByPlatformApplication, 100 a page. `NextToken` is the number of endpoints already seen. */
export function listEndpointsByPlatformApplication(params: Params, { state }: Context): XmlElements {
  const application = findApplication(params, state.applications);
  const nextToken = params.get('NextToken') ?? '0';
  if (!/^\d{1,9}$/.test(nextToken))
    throw invalidParameter('NextToken Reason: not a token of an earlier answer');
  const start = Number(nextToken);
  const endpoints = [...state.endpoints.values()].filter(
    (endpoint) => endpoint.application === application.arn,
  );
  const members = endpoints.slice(start, start + PAGE_SIZE).map((endpoint) => ({
    EndpointArn: endpoint.arn,
    Attributes: endpointAttributes(endpoint),
  }));
  const end = start + members.length;
  return { Endpoints: { member: members }, ...(end < endpoints.length && { NextToken: String(end) }) };
}

function findEndpoint(params: Params, state: State): Endpoint {
  const endpoint = state.endpoints.get(checkEndpointArn(required(params, 'EndpointArn')));
  if (!endpoint) throw new SnsError('NotFound', 'Endpoint does not exist');
  return endpoint;
}

function endpointAttributes({ enabled, token, customUserData }: Endpoint): XmlElements {
  return mapEntries({
    Enabled: String(enabled),
    Token: token,
    ...(customUserData && { CustomUserData: customUserData }),
  });
}

function readSettings(attributes: Record<string, string>, platform: string): Settings {
  const settings: Settings = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'Token') settings.token = checkToken(value, platform);
    else if (name === 'Enabled') settings.enabled = checkEnabled(value);
    else if (name === 'CustomUserData') settings.customUserData = checkUserData(value);
    else throw invalidParameter(`Attributes Reason: Unknown attribute ${name}`);
  }
  return settings;
}

// Apple's tokens are hexadecimal and AWS insists on it; here a developer may call a phone by a name.
function checkToken(token: string, platform: string): string {
  if (token.trim() === '') throw invalidParameter('Token Reason: cannot be empty');
  if (platform.startsWith('APNS') && token.length > MAX_IOS_TOKEN_LENGTH) {
    const limit = `no more than ${MAX_IOS_TOKEN_LENGTH} hexadecimal characters`;
    throw invalidParameter(`Token Reason: iOS device tokens must be ${limit}`);
  }
  return checkBytes('Token', token, MAX_TOKEN_BYTES);
}

function checkEnabled(value: string): boolean {
  if (!/^(true|false)$/i.test(value))
    throw invalidParameter('Attributes Reason: Enabled must be true or false');
  return value.toLowerCase() === 'true';
}

function checkUserData(value: string): string {
  return checkBytes('CustomUserData', value, MAX_USER_DATA_BYTES);
}

function checkBytes(name: string, value: string, limit: number): string {
  if (Buffer.byteLength(value) <= limit) return value;
  throw invalidParameter(`${name} Reason: must be at most ${limit} bytes long in UTF-8 encoding`);
}
