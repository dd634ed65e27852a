import * as oauth from 'oauth4webapi';
import type { Settings } from '../../service-config.ts';
import { claimsOf } from '../../session.ts';
import { callbackPath } from './sign-in-paths.ts';
import { strings } from './sign-in-strings.ts';

/* OpenID Connect's code flow with PKCE, by oauth4webapi. Loaded only when somebody signs in. */

/** The state that survives the way to the provider and back. */
interface Flow {
  verifier: string;
  state: string;
  nonce: string;
  /** The address to return to. */
  place: string;
  isFresh: boolean;
}

/** The service accepts signatures for this long after the sign-in. */
export const freshSeconds = 300;

const flowKey = 'fieldbell.sign-in';

/** A failure to sign in, in words for people. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** Goes to the provider's page. `isFresh`: the person has to authenticate again, as for a signature. */
export async function beginSignIn(settings: Settings, place: string, isFresh = false): Promise<void> {
  const server = await discover(settings);
  if (!server.authorization_endpoint) throw new SignInError(strings.noEndpoint);
  const flow: Flow = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    place,
    isFresh,
  };
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: settings.clientId ?? '',
    redirect_uri: location.origin + callbackPath,
    response_type: 'code',
    scope: settings.scope,
    // Some providers choose the audience of the access token by this parameter; the others ignore it.
    audience: settings.audience,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state: flow.state,
    nonce: flow.nonce,
    ...(isFresh && { max_age: '0' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  sessionStorage.setItem(flowKey, JSON.stringify(flow));
  location.assign(url.href);
}

/** Exchanges the provider's code. Resolves to the token for the service, and the address to return to. */
export async function finishSignIn(settings: Settings): Promise<{ token: string; place: string }> {
  const stored = sessionStorage.getItem(flowKey);
  sessionStorage.removeItem(flowKey);
  if (stored === null) throw new SignInError(strings.otherTab);
  const flow = JSON.parse(stored) as Flow;
  const server = await discover(settings);
  const client: oauth.Client = { client_id: settings.clientId ?? '' };
  try {
    const answer = oauth.validateAuthResponse(server, client, new URL(location.href), flow.state);
    const redirect = location.origin + callbackPath;
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      answer,
      redirect,
      flow.verifier,
      insecure(settings),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: flow.nonce,
      requireIdToken: true,
      ...(flow.isFresh && { maxAge: freshSeconds }),
    });
    const token = [tokens.access_token, tokens.id_token].find((candidate) =>
      isFor(candidate, settings.audience),
    );
    if (token === undefined) throw new SignInError(strings.noToken(settings.audience));
    return { token, place: flow.place };
  } catch (error) {
    throw explained(error);
  }
}

async function discover(settings: Settings): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  let server: oauth.AuthorizationServer;
  try {
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure(settings) });
    server = await oauth.processDiscoveryResponse(issuer, response);
  } catch (error) {
    if (error instanceof TypeError) throw new SignInError(strings.noProvider(issuer.host));
    throw explained(error);
  }
  const host = URL.parse(server.token_endpoint ?? '')?.origin;
  if (host !== undefined && !settings.origins.includes(host)) throw new SignInError(strings.notAllowed(host));
  return server;
}

/** A provider on this machine needs no TLS. */
const insecure = ({ issuer }: Settings) =>
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(issuer)
    ? { [oauth.allowInsecureRequests]: true }
    : {};

/** The service accepts a JWT for its audience: with most providers the access token is one, with some only the ID token. */
function isFor(token: string | undefined, audience: string): token is string {
  const { aud } = claimsOf(token ?? '');
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

function explained(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return new SignInError(strings.refused(error.error_description ?? error.error));
  return new SignInError(strings.failed(error instanceof Error ? error.message : String(error)));
}
