import { isMissingEndpoint, isRefusedToken, quotedEndpoint, SnsFault } from './errors.ts';
import { expectText } from './query.ts';
import { entries } from './xml.ts';

/** Calls an SNS action within the deadline that all calls of a registration share; rejects with an `SnsFault`. */
export type SnsCall = (action: string, parameters: Record<string, string>) => Promise<string>;

/** A device's token, the ARN of its platform application and, if there is one, of the endpoint known so far. */
export interface Registrant {
  application: string;
  token: string;
  endpoint?: string | null | undefined;
}

/** How often an endpoint is made anew when it vanishes between two calls. */
const MAX_RECREATIONS = 2;

/**
 * Resolves with the ARN of an endpoint that exists, carries the token and is enabled, whatever was there before;
 * rejects with an `SnsFault`. The procedure is that of Amazon SNS, "Setting up a platform endpoint": creating is not
 * enough, because SNS hands out a disabled endpoint as it is. Safe to repeat.
 */
export async function provideEndpoint(call: SnsCall, registrant: Registrant): Promise<string> {
  let endpoint = knownEndpoint(registrant) ?? (await createEndpoint(call, registrant));
  for (let recreations = 0; ; recreations++) {
    if (await healEndpoint(call, endpoint, registrant.token)) return endpoint;
    if (recreations === MAX_RECREATIONS) throw new SnsFault(0, 'EndpointVanished');
    endpoint = await createEndpoint(call, registrant);
  }
}

/** An endpoint of another application is of no use: the device changed its platform, or the configuration did. */
function knownEndpoint({ application, endpoint }: Registrant): string | undefined {
  return endpoint?.startsWith(`${application.replace(':app/', ':endpoint/')}/`) ? endpoint : undefined;
}

/** Sends the token only: every further attribute is one more way to differ from an endpoint that is there already. */
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
 * Gives the endpoint the token and enables it. False when it is gone or will not take the token: the token may have an
 * endpoint already, or be none, and creating one tells which.
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

/** What SNS knows of an endpoint that should carry the token; rejects with an `SnsFault`. */
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
