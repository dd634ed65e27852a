import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID Connect provider on this machine: the code flow with PKCE (RFC 7636), for one public client. */
export interface Provider {
  issuer: string;
  jwksUrl: string;
  clientId: string;
  /** Everybody who comes to its page is signed in as this person, since `authTime` (epoch seconds). */
  person: { subject: string; email: string; authTime: number };
  /** An access token, as the page gets one; with a negative number of seconds, one that has expired. */
  token(person: Provider['person'], expiresIn?: number): Promise<string>;
  /** The parameters of each authorization that was asked for. */
  asked: Record<string, string>[];
  close(): Promise<void>;
}

interface Code {
  challenge: string;
  redirect: string;
  nonce: string;
  person: Provider['person'];
}

const validForSeconds = 3600;
const audience = 'fieldbell';
const clientId = 'fieldbell-console';

export async function startProvider(): Promise<Provider> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256', use: 'sig' };
  const codes = new Map<string, Code>();
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = {
    issuer,
    jwksUrl: `${issuer}/keys`,
    clientId,
    person: { subject: 'ada', email: 'ada@example.org', authTime: 0 },
    asked: [],
    token: (person, expiresIn) => sign({ aud: audience }, person, expiresIn),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };

  const sign = (
    claims: Record<string, unknown>,
    { subject, email, authTime }: Provider['person'],
    expiresIn = validForSeconds,
  ) =>
    new SignJWT({ ...claims, email, email_verified: true, auth_time: authTime })
      .setProtectedHeader({ alg: 'ES256', kid: 'key' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + expiresIn)
      .sign(privateKey);

  app
    .use(cors())
    .get('/.well-known/openid-configuration', (c) =>
      c.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      }),
    )
    .get('/keys', (c) => c.json({ keys: [jwk] }))
    .get('/authorize', (c) => {
      const given = c.req.query();
      provider.asked.push(given);
      const {
        client_id,
        redirect_uri = '',
        response_type,
        code_challenge = '',
        state = '',
        nonce = '',
      } = given;
      if (client_id !== clientId || !redirect_uri.endsWith('/console/signed-in'))
        return c.text('An unknown client, or an address that it did not register.', 400);
      const back = new URL(redirect_uri);
      back.searchParams.set('state', state);
      if (
        response_type !== 'code' ||
        given.code_challenge_method !== 'S256' ||
        code_challenge.length !== 43
      ) {
        back.searchParams.set('error', 'invalid_request');
        return c.redirect(back.href);
      }
      const code = randomUUID();
      codes.set(code, {
        challenge: code_challenge,
        redirect: redirect_uri,
        nonce,
        person: personFor(given.max_age),
      });
      back.searchParams.set('code', code);
      return c.redirect(back.href);
    })
    .post('/token', async (c) => {
      const given = await c.req.parseBody();
      const code = codes.get(String(given.code));
      codes.delete(String(given.code));
      const challenge = createHash('sha256').update(String(given.code_verifier)).digest('base64url');
      const isGood =
        given.grant_type === 'authorization_code' &&
        given.client_id === clientId &&
        code?.redirect === given.redirect_uri &&
        code?.challenge === challenge;
      if (!code || !isGood) return c.json({ error: 'invalid_grant' }, 400);
      return c.json({
        token_type: 'Bearer',
        expires_in: validForSeconds,
        access_token: await provider.token(code.person),
        id_token: await sign({ aud: clientId, nonce: code.nonce }, code.person),
      });
    });

  /** Asked for a fresh sign-in, the person types their password again. */
  function personFor(maxAge: string | undefined) {
    const now = Math.floor(Date.now() / 1000);
    const { person } = provider;
    const isFresh = maxAge === undefined || now - person.authTime <= Number(maxAge);
    return isFresh ? person : { ...person, authTime: now };
  }

  return provider;
}
