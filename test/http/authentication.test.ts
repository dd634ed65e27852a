import { env } from 'cloudflare:workers';
import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newApp, watchedDb } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { send, signUp, stranger, tokenOf } from '../support/worker/world.ts';

const seconds = 1000;
const unix = () => Math.floor(Date.now() / 1000);
const claims = (changed: object = {}) => ({
  iss: env.AUTH_ISSUER,
  aud: env.AUTH_AUDIENCE,
  sub: 'ada',
  exp: unix() + 3600,
  ...changed,
});
const raw = (value: unknown) => base64url.encode(JSON.stringify(value));

/** The status of a token: nobody here has signed up, so a valid one is 403. */
const accepted = { status: 403, code: 'user.not-signed-up' };
const refused = { status: 401, code: 'auth.token-invalid' };
const expired = { status: 401, code: 'auth.token-expired' };
const unavailable = { status: 503, code: 'auth.keys-unavailable' };

describe('in local mode', () => {
  const key = new TextEncoder().encode(env.AUTH_SECRET);
  const sign = (payload: Record<string, unknown>, header: Partial<JWTHeaderParameters> = {}, by = key) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(by);
  const { send: ask } = newApp();
  test('a token that was good by a clock that was ahead is checked again once the clock is right', async () => {
    const token = await sign(claims({ nbf: unix() + 3600, exp: unix() + 7200 }));
    later(90 * minutes);
    expect(await worth(token)).toEqual(accepted);
    later(-90 * minutes);
    expect(await worth(token)).toEqual(refused);
  });

  const worth = async (token: string) => {
    const answer = await ask('/user/me', { token });
    expect(answer.headers.get('www-authenticate')).toBe(answer.status === 401 ? 'Bearer' : null);
    return { status: answer.status, code: answer.body.code };
  };

  test('a token of the configured issuer and audience is good', async () => {
    expect(await worth(await sign(claims()))).toEqual(accepted);
    expect(await worth(await sign(claims({ aud: ['others', env.AUTH_AUDIENCE] })))).toEqual(accepted);
  });

  test('another issuer, another audience or another secret is refused', async () => {
    expect(await worth(await sign(claims({ iss: 'https://evil.example.org/' })))).toEqual(refused);
    expect(await worth(await sign(claims({ iss: undefined })))).toEqual(refused);
    expect(await worth(await sign(claims({ aud: 'others' })))).toEqual(refused);
    expect(await worth(await sign(claims({ aud: undefined })))).toEqual(refused);
    expect(await worth(await sign(claims(), {}, new TextEncoder().encode('x'.repeat(40))))).toEqual(refused);
  });

  test('a token has an end, a subject, and began', async () => {
    expect(await worth(await sign(claims({ exp: undefined })))).toEqual(refused);
    expect(await worth(await sign(claims({ exp: '9999999999' })))).toEqual(refused);
    for (const sub of [undefined, '', 17, 'x'.repeat(256), ['ada'], '\ud800'])
      expect(await worth(await sign(claims({ sub }) as Record<string, unknown>)), String(sub)).toEqual(
        refused,
      );
    expect(await worth(await sign(claims({ nbf: unix() + 3600 })))).toEqual(refused);
  });

  test('clocks may differ by less than a minute', async () => {
    expect(await worth(await sign(claims({ exp: unix() - 59 })))).toEqual(accepted);
    expect(await worth(await sign(claims({ exp: unix() - 61 })))).toEqual(expired);
    expect(await worth(await sign(claims({ nbf: unix() + 59 })))).toEqual(accepted);
    expect(await worth(await sign(claims({ nbf: unix() + 61 })))).toEqual(refused);
  });

  test('a token that was found good is verified again after a minute, and ends when it should', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const token = await sign(claims({ exp: unix() + 10 }));
    for (let n = 0; n < 5; n++) expect(await worth(token)).toEqual(accepted);
    expect(verify).toHaveBeenCalledTimes(1);
    later(61 * seconds);
    expect(await worth(token)).toEqual(accepted);
    expect(verify).toHaveBeenCalledTimes(2);
    later(10 * seconds);
    expect(await worth(token)).toEqual(expired);
    expect(await worth(`${token.slice(0, -4)}AAAA`)).toEqual(refused);
    verify.mockRestore();
  });

  test('tokens are of type JWT or at+jwt, or do not say', async () => {
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'application/at+jwt'])
      expect(await worth(await sign(claims(), { typ })), typ).toEqual(accepted);
    for (const typ of ['logout+jwt', 'dpop+jwt', 'id'])
      expect(await worth(await sign(claims(), { typ })), typ).toEqual(refused);
  });

  test('no other algorithm is taken, not even a right signature', async () => {
    expect(await worth(`${raw({ alg: 'none' })}.${raw(claims())}.`)).toEqual(refused);
    expect(await worth(`${raw({ alg: 'HS256' })}.${raw(claims())}.`)).toEqual(refused);
    expect(await worth(await sign(claims(), { alg: 'HS384' }))).toEqual(refused);
    const pair = await generateKeyPair('RS256');
    const token = await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' }).sign(pair.privateKey);
    expect(await worth(token)).toEqual(refused);
  });

  test('a header that is not a token at all is a 401, and no crash', async () => {
    const good = await sign(claims());
    const [head, payload, signature] = good.split('.');
    for (const token of [
      'x',
      '...',
      'a.b.c',
      `${head}.${payload}`,
      `${good}.`,
      `${head}.${payload}.${signature}.x.y`,
      `${head}.${raw([])}.${signature}`,
      `${raw('HS256')}.${payload}.${signature}`,
      `${raw({ alg: 'HS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
      'x'.repeat(20_000),
    ])
      expect(await worth(token), token.slice(0, 40)).toEqual(refused);
  });

  test('the token stands in the header, under whatever case of Bearer, and nowhere else', async () => {
    const token = await sign(claims());
    const withHeader = async (authorization: string) =>
      (await ask('/user/me', { headers: { authorization } })).body.code;
    expect(await withHeader(`bearer ${token}`)).toBe('user.not-signed-up');
    expect(await withHeader(`BEARER  ${token}`)).toBe('user.not-signed-up');
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Bearer ${token} x`,
      `Bearer, ${token}`,
    ])
      expect(await withHeader(header), header.slice(0, 20)).toBe('auth.token-missing');
    for (const path of [`/user/me?access_token=${token}`, `/user/me?token=${token}`]) {
      const answer = await ask(path);
      expect(answer.status).toBe(401);
      expect(answer.body.code).toBe('auth.token-missing');
    }
  });
});

describe('with the key set of a provider', () => {
  const jwksUrl = 'https://login.example.org/keys';
  let published: JWK[];
  let fetches: number;
  let provider: () => Response | Promise<Response>;

  beforeEach(() => {
    published = [];
    fetches = 0;
    provider = () => Response.json({ keys: published });
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      expect(String(input)).toBe(jwksUrl);
      fetches++;
      return provider();
    });
  });
  afterEach(() => vi.restoreAllMocks());

  /** A key pair; `publish` puts its public half into the key set. */
  async function newKey(alg: string, kid: string) {
    const pair = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
    return {
      ...pair,
      publish: () => published.push(jwk),
      sign: (header: Partial<JWTHeaderParameters> = {}, payload: object = claims()) =>
        new SignJWT({ ...payload }).setProtectedHeader({ alg, kid, ...header }).sign(pair.privateKey),
    };
  }

  function newProviderApp() {
    const { send: ask } = newApp(
      {},
      { issuer: env.AUTH_ISSUER, audience: env.AUTH_AUDIENCE, keys: { jwksUrl } },
    );
    return async (token: string) => {
      const answer = await ask('/user/me', { token });
      if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return { status: answer.status, code: answer.body.code };
    };
  }

  test.each(['RS256', 'ES256', 'EdDSA'])('a token signed by %s is good', async (alg) => {
    const key = await newKey(alg, 'one');
    key.publish();
    const worth = newProviderApp();
    expect(await worth(await key.sign())).toEqual(accepted);
    expect(await worth(await key.sign({ typ: 'at+jwt' }))).toEqual(accepted);
    expect(await worth(await key.sign({}, claims({ aud: 'others' })))).toEqual(refused);
    expect(await worth(await key.sign({}, claims({ exp: unix() - 61 })))).toEqual(expired);
    const stranger = await newKey(alg, 'one');
    expect(await worth(await stranger.sign())).toEqual(refused);
    expect(fetches).toBe(1);
  });

  test('the key set is fetched once, and again after ten minutes', async () => {
    const key = await newKey('ES256', 'one');
    key.publish();
    const worth = newProviderApp();
    for (let n = 0; n < 5; n++) expect(await worth(await key.sign())).toEqual(accepted);
    expect(fetches).toBe(1);
    later(9 * minutes);
    await worth(await key.sign());
    expect(fetches).toBe(1);
    later(2 * minutes);
    expect(await worth(await key.sign())).toEqual(accepted);
    expect(fetches).toBe(2);
  });

  test('a rotated key is picked up at once, and made-up keys do not make us fetch all the time', async () => {
    const old = await newKey('ES256', 'old');
    old.publish();
    const worth = newProviderApp();
    await worth(await old.sign());
    later(31 * seconds);
    const fresh = await newKey('ES256', 'fresh');
    published = [];
    fresh.publish();
    expect(await worth(await fresh.sign())).toEqual(accepted);
    expect(fetches).toBe(2);
    expect(await worth(await old.sign())).toEqual(refused);
    for (let n = 0; n < 20; n++)
      expect(await worth(await fresh.sign({ kid: `made-up-${n}` }))).toEqual(refused);
    expect(fetches).toBe(3);
  });

  test('a key that is rotated right after a fetch is picked up at once', async () => {
    const old = await newKey('ES256', 'old');
    old.publish();
    const worth = newProviderApp();
    expect(await worth(await old.sign())).toEqual(accepted);
    const fresh = await newKey('ES256', 'fresh');
    fresh.publish();
    expect(await worth(await fresh.sign())).toEqual(accepted);
    expect(fetches).toBe(2);
  });

  test('the public key is no secret: tokens signed with it by HMAC are refused', async () => {
    const key = await newKey('RS256', 'one');
    key.publish();
    const worth = newProviderApp();
    const pem = await exportSPKI(key.publicKey);
    for (const secret of [
      pem,
      pem.trim(),
      JSON.stringify(published[0]),
      published[0]?.n ?? '',
      env.AUTH_SECRET,
    ])
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const token = await new SignJWT(claims())
          .setProtectedHeader({ alg, kid: 'one' })
          .sign(new TextEncoder().encode(secret.padEnd(64)));
        expect(await worth(token)).toEqual(refused);
      }
    expect(await worth(await tokenOf('ada'))).toEqual(refused);
  });

  test('an algorithm that is swapped, weak or none is refused', async () => {
    const rsa = await newKey('RS256', 'rsa');
    const ec = await newKey('ES256', 'ec');
    rsa.publish();
    ec.publish();
    const worth = newProviderApp();
    const [, payload, signature] = (await rsa.sign()).split('.');
    for (const header of [
      { alg: 'ES256', kid: 'rsa' },
      { alg: 'EdDSA', kid: 'rsa' },
      { alg: 'RS256', kid: 'ec' },
      { alg: 'PS256', kid: 'rsa' },
      { alg: 'RS512', kid: 'rsa' },
      { alg: 'none', kid: 'rsa' },
      { alg: 'rs256', kid: 'rsa' },
      { kid: 'rsa' },
    ])
      expect(await worth(`${raw(header)}.${payload}.${signature}`), JSON.stringify(header)).toEqual(refused);
    expect(await worth(`${raw({ alg: 'none' })}.${payload}.`)).toEqual(refused);
    // Providers may leave out what a key is for: the key is right, the algorithm is not one of ours.
    const { alg: _, use: __, ...plain } = published[0] ?? {};
    published = [plain];
    const anything = newProviderApp();
    const jwk256 = await exportJWK(rsa.privateKey);
    for (const alg of ['RS256', 'RS384', 'RS512', 'PS256']) {
      const same = await importJWK(jwk256, alg);
      const token = await new SignJWT(claims()).setProtectedHeader({ alg, kid: 'rsa' }).sign(same);
      expect(await anything(token), alg).toEqual(alg === 'RS256' ? accepted : refused);
    }
    // A key that comes with the token is nobody's.
    const own = await newKey('ES256', 'own');
    const jwk = await exportJWK(own.publicKey);
    expect(await worth(await own.sign({ kid: 'ec', jwk, jku: 'https://evil.example.org/keys' }))).toEqual(
      refused,
    );
  });

  test('a provider out of reach is a 503 that says when to try again', async () => {
    const key = await newKey('ES256', 'one');
    key.publish();
    const worth = newProviderApp();
    const outages: (typeof provider)[] = [
      () => Promise.reject(new TypeError('connection refused')),
      () => new Response('oops', { status: 500 }),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ keys: 'none' }),
      () => new Response(null, { status: 302, headers: { location: 'https://evil.example.org/' } }),
    ];
    for (const outage of outages) {
      provider = outage;
      expect(await worth(await key.sign())).toEqual(unavailable);
      later(11 * seconds);
    }
    provider = () => Response.json({ keys: published });
    expect(await worth(await key.sign())).toEqual(accepted);
  });

  test('during an outage the keys known so far go on working, and the provider is left alone', async () => {
    const key = await newKey('ES256', 'one');
    const next = await newKey('ES256', 'next');
    key.publish();
    const worth = newProviderApp();
    expect(await worth(await key.sign())).toEqual(accepted);
    provider = () => Promise.reject(new TypeError('connection refused'));
    later(60 * minutes);
    for (let n = 0; n < 5; n++) expect(await worth(await key.sign())).toEqual(accepted);
    expect(fetches).toBe(2);
    // Whether the provider has a new key cannot be told now.
    expect(await worth(await next.sign())).toEqual(unavailable);
    // Neither does an outage make a wrong signature right.
    expect(await worth(await next.sign({ kid: 'one' }))).toEqual(refused);
    expect(fetches).toBe(2);
    next.publish();
    provider = () => Response.json({ keys: published });
    later(11 * seconds);
    expect(await worth(await next.sign())).toEqual(accepted);
  });
});

test('a warm user costs no round trip to the database', async () => {
  const ada = await signUp('Ada');
  const { db, watch } = watchedDb();
  const { send: ask } = newApp({ db });
  const preview = {
    reminders: { type: 'rolling', recurrence: '0 9 * * *' },
    timeZone: 'UTC',
    startsOn: '2027-03-01',
  };
  const look = () => ask('/reminders/preview', { method: 'POST', token: ada.token, body: preview });
  expect((await look()).status).toBe(200);
  expect(watch.statements).toBe(1);
  for (let n = 0; n < 3; n++) expect((await look()).status).toBe(200);
  expect(watch.statements).toBe(1);
  const me = await ask('/user/me', { token: await tokenOf(`other-${ada.name}`) });
  expect(me.status).toBe(403);
});

test('everything but the public pages needs a token, and a signed-up caller', async () => {
  const faye = await stranger('Faye');
  for (const path of ['/health', '/problems/item.locked']) expect((await send(path)).status, path).toBe(200);
  for (const path of ['/', '/docs']) expect((await send(path)).status, path).toBe(307);
  for (const path of ['/user/me', '/investigation', '/nowhere', '/healthy', '/user/me/../../health/x']) {
    expect((await send(path)).body.code, path).toBe('auth.token-missing');
    expect((await faye.get(path)).body.code, path).toBe('user.not-signed-up');
  }
});
