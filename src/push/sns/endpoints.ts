import { isMissingEndpoint, isRefusedToken, quotedEndpoint, SnsFault } from './errors.ts';
import { expectText } from './query.ts';
import { entries } from './xml.ts';

/** Calls an SNS action within the deadline that the calls of one method share; rejects with an `SnsFault`. */
export type SnsCall = (action: string, parameters: Record<string, string>) => Promise<string>;

/** A device's token, the ARN of its platform application and, if known, the ARN of its endpoint. */
export interface Registrant {
  application: string;
  token: string;
  endpoint?: string | null | undefined;
}

/** How often an endpoint that vanishes between two calls is created again. */
const maxRecreations = 2;

/**
 * Resolves with the ARN of an endpoint that exists, carries the token and is enabled, whatever its state before;
 * rejects with an `SnsFault`. Follows Amazon SNS, "Setting up a platform endpoint": creating is not enough, because
 * SNS returns an existing disabled endpoint as it is. Safe to repeat.
 */
export async function ensureEndpoint(call: SnsCall, registrant: Registrant): Promise<string> {
  let endpoint = knownEndpoint(registrant) ?? (await createEndpoint(call, registrant));
  for (let recreations = 0; ; recreations++) {
    if (await healEndpoint(call, endpoint, registrant.token)) return endpoint;
    if (recreations === maxRecreations) throw new SnsFault(0, 'EndpointVanished');
    endpoint = await createEndpoint(call, registrant);
  }
}

/** Ignores an endpoint of another application: the device's platform or the configuration has changed. */
function knownEndpoint({ application, endpoint }: Registrant): string | undefined {
  return endpoint?.startsWith(`${application.replace(':app/', ':endpoint/')}/`) ? endpoint : undefined;
}

/** Sends only the token: SNS refuses other attributes that differ from those of an existing endpoint. */
async function createEndpoint(call: SnsCall, { application, token }: Registrant): Promise<string> {
  try {
    const xml = await call('CreatePlatformEndpoint', { PlatformApplicationArn: application, Token: token });
    return expectText(xml, 'EndpointArn');
  } catch (error) {
    const existing = quotedEndpoint(error);
    if (existing === undefined) throw error;
    return existing;
  }
}

/**
 * Sets the token and enables the endpoint. False when the endpoint is gone or refuses the token: either another
 * endpoint has the token or the token is invalid, and creating an endpoint tells which.
 */
async function healEndpoint(call: SnsCall, endpoint: string, token: string): Promise<boolean> {
  try {
    if ((await readEndpoint(call, endpoint, token)) === 'reachable') return true;
    await call('SetEndpointAttributes', {
      EndpointArn: endpoint,
      'Attributes.entry.1.key': 'Token',
      'Attributes.entry.1.value': token,
      'Attributes.entry.2.key': 'Enabled',
      'Attributes.entry.2.value': 'true',
    });
    return true;
  } catch (error) {
    if (isMissingEndpoint(error) || isRefusedToken(error)) return false;
    throw error;
  }
}

/** The state at SNS of an endpoint that should carry the token; rejects with an `SnsFault`. */
export async function checkEndpoint(call: SnsCall, endpoint: string, token: string) {
  try {
    return await readEndpoint(call, endpoint, token);
  } catch (error) {
    if (isMissingEndpoint(error)) return 'missing' as const;
    throw error;
  }
}

async function readEndpoint(call: SnsCall, endpoint: string, token: string) {
  const attributes = entries(await call('GetEndpointAttributes', { EndpointArn: endpoint }));
  if (attributes.get('Token') !== token) return 'other';
  return attributes.get('Enabled')?.toLowerCase() === 'true' ? 'reachable' : 'disabled';
}
