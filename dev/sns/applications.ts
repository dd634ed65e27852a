import { parseApplicationArn } from './arns.ts';
import type { Context } from './context.ts';
import { invalidParameter, SnsError } from './errors.ts';
import { attributesOf, type Params, required } from './params.ts';
import type { Application } from './state.ts';
import { mapEntries, type XmlElements } from './xml.ts';

const PLATFORMS = new Set([
  'ADM',
  'APNS',
  'APNS_SANDBOX',
  'APNS_VOIP',
  'APNS_VOIP_SANDBOX',
  'BAIDU',
  'GCM',
  'MACOS',
  'MACOS_SANDBOX',
  'MPNS',
  'WNS',
]);
const SECRETS = new Set(['PlatformCredential', 'PlatformPrincipal']);

/** CreatePlatformApplication. Creating it again gives the same ARN and sets the attributes given. */
export function createPlatformApplication(params: Params, context: Context): XmlElements {
  const name = required(params, 'Name');
  const platform = required(params, 'Platform');
  if (!/^[\w.-]{1,256}$/.test(name)) {
    throw invalidParameter('Name Reason: 1 to 256 ASCII letters, digits, underscores, hyphens and periods');
  }
  if (!PLATFORMS.has(platform)) throw invalidParameter(`Platform Reason: ${platform} is not supported`);

  const { credentials, accountId, state } = context;
  const arn = `arn:aws:sns:${credentials.region}:${accountId}:app/${platform}/${name}`;
  setAttributes(context, state.applications.get(arn) ?? newApplication(arn, platform), attributesOf(params));
  return { PlatformApplicationArn: arn };
}

/** GetPlatformApplicationAttributes. As at AWS, the platform's secrets never come back. */
export function getPlatformApplicationAttributes(params: Params, { state }: Context): XmlElements {
  const { attributes } = findApplication(params, state.applications);
  const shown = Object.entries(attributes).filter(([name]) => !SECRETS.has(name));
  return { Attributes: mapEntries(Object.fromEntries(shown)) };
}

/** SetPlatformApplicationAttributes. `Enabled=false` makes every publish to the application fail. */
export function setPlatformApplicationAttributes(params: Params, context: Context): undefined {
  setAttributes(context, findApplication(params, context.state.applications), attributesOf(params));
}

/** The application that `PlatformApplicationArn` names. */
export function findApplication(params: Params, applications: ReadonlyMap<string, Application>): Application {
  const { arn } = parseApplicationArn(required(params, 'PlatformApplicationArn'));
  const application = applications.get(arn);
  if (!application) throw new SnsError('NotFound', 'PlatformApplication does not exist');
  return application;
}

/** An application as it is when it has just been made: enabled. */
export function newApplication(arn: string, platform: string): Application {
  return { arn, platform, attributes: { Enabled: 'true' } };
}

function setAttributes({ state }: Context, application: Application, changes: Record<string, string>): void {
  if (changes.Enabled !== undefined && !/^(true|false)$/.test(changes.Enabled)) {
    throw invalidParameter('Attributes Reason: Enabled must be true or false');
  }
  state.putApplication({ ...application, attributes: { ...application.attributes, ...changes } });
}
