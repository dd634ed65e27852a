import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSns } from '../../../src/push/sns/push.ts';
import type { PushMessage, PushService } from '../../../src/services.ts';
import { posts } from './posts.ts';

/** Answers one call; further calls are answered by the next in line. */
type Answer = (response: ServerResponse, form: URLSearchParams) => void;

const application = 'arn:aws:sns:eu-central-1:123456789012:app/GCM/fieldbell';
const endpoint =
  'arn:aws:sns:eu-central-1:123456789012:endpoint/GCM/fieldbell/5e3e9847-3183-3f18-a7e8-671c3a57d4b3';
const token = 'fcm-token-of-ada:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ';
/** For tests of the timeout itself: by a clock that the test moves. */
const timeoutMs = 200;

/** Lets the sockets do what they have to, while the clock stands still. */
async function turns(count: number) {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}
async function turnsUntil(isSo: () => boolean) {
  while (!isSo()) await turns(1);
}

const push: PushMessage = {
  endpoint,
  title: 'Sleep diary',
  body: 'How did you sleep?',
  data: { survey: 's' },
  collapseId: 'c',
  ttlSeconds: 60,
};

describe.each(posts)('with %s', (_, post) => {
  let server: Server;
  let script: Answer[];
  let calls: URLSearchParams[];
  let address: string;
  let sns: PushService;

  beforeEach(async () => {
    script = [];
    calls = [];
    server = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      calls.push(form);
      script.shift()?.(response, form);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    sns = connect();
  });

  afterEach(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });

  function connect(timeout?: number): PushService {
    return createSns({
      post,
      region: 'eu-central-1',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      platformApplications: { android: application },
      endpoint: address,
      timeoutMs: timeout,
    });
  }

  /** A complete answer of SNS to whatever action was called. */
  function result(xml: string): Answer {
    return (response, form) => {
      const action = form.get('Action');
      response.end(
        `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${xml}</${action}Response>`,
      );
    };
  }

  function refusal(status: number, code: string, message: string): Answer {
    const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
    return plain(status, `<ErrorResponse>${error}<RequestId>e7ad42c9-1</RequestId></ErrorResponse>`);
  }

  function plain(status: number, text: string): Answer {
    return (response) => response.writeHead(status).end(text);
  }

  function attributes(values: Record<string, string>): Answer {
    const list = Object.entries(values).map(
      ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
    );
    return result(
      `<GetEndpointAttributesResult><Attributes>${list.join('\n')}</Attributes></GetEndpointAttributesResult>`,
    );
  }

  const created = result(
    `<CreatePlatformEndpointResult><EndpointArn>${endpoint}</EndpointArn></CreatePlatformEndpointResult>`,
  );
  const healthy = attributes({ Enabled: 'true', Token: token });
  const missing = refusal(404, 'NotFound', 'Endpoint does not exist');
  const html =
    '<!doctype html><html><head><title>Welcome</title></head><body>Log in to the Wi-Fi<br></body></html>';

  const actions = () => calls.map((form) => form.get('Action'));

  describe('a publish whose answer cannot be read may have been accepted, so it is to be tried again', () => {
    it.each<[string, Answer]>([
      ['half an XML', plain(200, '<PublishResponse><PublishResult><MessageId>567910cd-659e')],
      [
        'XML that ends early',
        plain(200, '<PublishResponse><PublishResult><MessageId>5679</MessageId></Publ'),
      ],
      ['no message id', result('<PublishResult></PublishResult>')],
      ['HTML', plain(200, html)],
      ['an empty body', plain(200, '')],
      ['another action', plain(200, '<SubscribeResponse><MessageId>5</MessageId></SubscribeResponse>')],
    ])('%s', async (_, answer) => {
      script = [answer];
      expect(await sns.send(push)).toEqual({ state: 'retry', error: 'UnreadableAnswer' });
      expect(calls).toHaveLength(1);
    });
  });

  describe('a publish without an answer is to be tried again', () => {
    it('when nobody listens', async () => {
      await new Promise((resolve) => server.close(resolve));
      expect(await sns.send(push)).toEqual({
        state: 'retry',
        error: expect.stringMatching(/^NetworkError: .*REFUSED/),
      });
    });

    it('when the connection breaks', async () => {
      script = [(response) => response.destroy()];
      expect(await sns.send(push)).toEqual({ state: 'retry', error: expect.stringMatching(/^NetworkError/) });
      expect(calls).toHaveLength(1);
    });

    it('when the connection breaks within the body', async () => {
      script = [
        (response) => {
          response.writeHead(200, { 'content-length': '1000' }).write('<PublishResponse>');
          setTimeout(() => response.destroy(), 20);
        },
      ];
      expect(await sns.send(push)).toEqual({ state: 'retry', error: expect.stringMatching(/^NetworkError/) });
    });

    it.each<[string, Answer]>([
      ['before the headers', () => {}],
      ['within the body', (response) => response.writeHead(200).write('<PublishResponse>')],
      ['within the body of an error', (response) => response.writeHead(400).write('<ErrorResponse>')],
    ])('when SNS falls silent %s, after no more than the timeout', async (_, answer) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      script = [answer];
      let outcome: unknown;
      void connect(timeoutMs)
        .send(push)
        .then((one) => {
          outcome = one;
        });
      await turnsUntil(() => calls.length === 1);
      await vi.advanceTimersByTimeAsync(timeoutMs - 1);
      await turns(10);
      expect(outcome).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await turnsUntil(() => outcome !== undefined);
      expect(outcome).toEqual({ state: 'retry', error: 'Timeout' });
      expect(calls).toHaveLength(1);
    });
  });

  describe('a refusal by something that is not SNS is judged by its status', () => {
    it.each([
      [301, 'misconfigured'],
      [400, 'failed'],
      [403, 'misconfigured'],
      [404, 'misconfigured'],
      [413, 'failed'],
      [429, 'retry'],
      [502, 'retry'],
      [503, 'retry'],
    ])('%d is %s', async (status, state) => {
      script = [plain(status, html)];
      expect(await sns.send(push)).toEqual({ state, error: `HTTP ${status}` });
    });

    it('and a code that is none is not repeated', async () => {
      script = [refusal(400, `${endpoint} ${token}`, 'Oh')];
      expect(await sns.send(push)).toEqual({ state: 'failed', error: 'HTTP 400' });
    });
  });

  describe('a call that is over', () => {
    it('leaves no timer behind, which would keep a Durable Object awake', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      script = [refusal(400, 'EndpointDisabled', '')];
      const outcome = sns.send(push);
      expect(vi.getTimerCount()).toBe(1);
      expect(await outcome).toMatchObject({ state: 'gone' });
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  describe('a redirect', () => {
    it('is not followed', async () => {
      script = [(response) => response.writeHead(307, { location: '/elsewhere' }).end(), result('')];
      expect(await sns.send(push)).toEqual({ state: 'misconfigured', error: 'HTTP 307' });
      expect(calls).toHaveLength(1);
    });
  });

  describe('refusals of SNS', () => {
    it.each([
      [400, 'Throttling', 'retry'],
      [400, 'ThrottlingException', 'retry'],
      [403, 'ThrottledException', 'retry'],
      [429, 'Throttled', 'retry'],
      [500, 'InternalError', 'retry'],
      [400, 'EndpointDisabled', 'gone'],
      [404, 'NotFound', 'gone'],
      [400, 'PlatformApplicationDisabled', 'misconfigured'],
      [400, 'RequestExpired', 'misconfigured'],
      [400, 'IncompleteSignature', 'misconfigured'],
      [400, 'ExpiredTokenException', 'misconfigured'],
      [403, 'AuthorizationError', 'misconfigured'],
      [403, 'InvalidClientTokenId', 'misconfigured'],
      [403, 'AccessDenied', 'misconfigured'],
      [400, 'InvalidParameter', 'failed'],
      [400, 'ValidationError', 'failed'],
    ])('%d %s is %s', async (status, code, state) => {
      script = [refusal(status, code, 'Because.')];
      const error = `${code.replace('Exception', '')}: Because.`;
      expect(await sns.send(push)).toEqual({ state, error });
      expect(calls).toHaveLength(1);
    });

    it('is a missing endpoint when its words say so', async () => {
      const reason = 'Invalid parameter: TargetArn Reason: No endpoint found for the target arn specified';
      script = [refusal(400, 'InvalidParameter', reason)];
      expect(await sns.send(push)).toEqual({ state: 'gone', error: `InvalidParameter: ${reason}` });
    });

    it('is told without ARNs, tokens, keys and signatures, and briefly', async () => {
      const signed =
        'x-amz-security-token:IQoJb3JpZ2luX2VjEDoaCXVzLWVhc3QtMSJHMEUCIQD 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NM';
      const words = `User: arn:aws:iam::123456789012:user/x\n may not SNS:Publish to ${endpoint} (${token}) ${signed}`;
      script = [refusal(403, 'SignatureDoesNotMatch', words.repeat(3))];
      const outcome = await sns.send(push);
      expect(outcome).toEqual({
        state: 'misconfigured',
        error: expect.stringMatching(
          /^SignatureDoesNotMatch: User: <arn> may not SNS:Publish to <arn> \(<redacted>\)/,
        ),
      });
      const { error } = outcome as { error: string };
      expect(error.length).toBeLessThanOrEqual(160);
      for (const secret of ['arn:', 'fieldbell', 'APA91', 'IQoJ', '47DEQ'])
        expect(error).not.toContain(secret);
    });

    it('is unescaped', async () => {
      script = [
        refusal(
          400,
          'InvalidParameter',
          'a &lt;b&gt; &amp;amp; &quot;c&quot; &#100;&#x65; &nbsp; &#x110000;',
        ),
      ];
      const error = 'InvalidParameter: a <b> &amp; "c" de &nbsp; &#x110000;';
      expect(await sns.send(push)).toEqual({ state: 'failed', error });
    });
  });

  describe('registering', () => {
    const ada = { platform: 'android', token };

    it('leaves an endpoint alone that is as it should be', async () => {
      script = [created, healthy];
      expect(await sns.register(ada)).toEqual({ state: 'registered', endpoint });
      expect(actions()).toEqual(['CreatePlatformEndpoint', 'GetEndpointAttributes']);
    });

    it.each([
      `Invalid parameter: Token Reason: Endpoint ${endpoint} already exists with the same Token, but different attributes.`,
      `Endpoint ${endpoint} already exists with the same Token, but different attributes. (Service: AmazonSNS)`,
    ])('adopts the endpoint that SNS quotes: %s', async (words) => {
      script = [
        refusal(400, 'InvalidParameter', words),
        attributes({ Enabled: 'false', Token: token }),
        result(''),
      ];
      expect(await sns.register(ada)).toEqual({ state: 'registered', endpoint });
      expect(actions()).toEqual(['CreatePlatformEndpoint', 'GetEndpointAttributes', 'SetEndpointAttributes']);
      expect(calls[2]?.get('EndpointArn')).toBe(endpoint);
    });

    it('sets token and state when the attributes are not told', async () => {
      script = [created, attributes({}), result('')];
      expect(await sns.register(ada)).toEqual({ state: 'registered', endpoint });
      expect(Object.fromEntries(calls[2] ?? [])).toMatchObject({
        Action: 'SetEndpointAttributes',
        EndpointArn: endpoint,
        'Attributes.entry.1.key': 'Token',
        'Attributes.entry.1.value': token,
        'Attributes.entry.2.key': 'Enabled',
        'Attributes.entry.2.value': 'true',
      });
    });

    it('reads a token with characters that XML escapes', async () => {
      script = [created, attributes({ Enabled: 'true', Token: 'a&lt;b&amp;c' })];
      expect(await sns.register({ ...ada, token: 'a<b&c' })).toEqual({ state: 'registered', endpoint });
    });

    it('makes an endpoint again that vanishes, twice at most', async () => {
      script = [created, missing, created, missing, created, healthy];
      expect(await sns.register(ada)).toEqual({ state: 'registered', endpoint });

      script = [created, missing, created, missing, created, missing, created, healthy];
      expect(await sns.register(ada)).toEqual({ state: 'unavailable', error: 'EndpointVanished' });
    });

    it('makes an endpoint again that vanishes before it is healed', async () => {
      script = [created, attributes({ Enabled: 'false', Token: token }), missing, created, healthy];
      expect(await sns.register(ada)).toEqual({ state: 'registered', endpoint });
    });

    it.each([
      `Invalid parameter: Token Reason: Endpoint ${endpoint}-2 already exists with the same Token, but different attributes.`,
      'Invalid parameter: This endpoint is already registered with a different token.',
    ])("uses the token's own endpoint when the known one may not take it: %s", async (words) => {
      const taken = refusal(400, 'InvalidParameter', words);
      script = [attributes({ Enabled: 'true', Token: 'old' }), taken, created, healthy];
      expect(await sns.register({ ...ada, endpoint: `${endpoint}-1` })).toEqual({
        state: 'registered',
        endpoint,
      });
    });

    it('shares one deadline among its calls', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const slowly =
        (answer: Answer): Answer =>
        (response, form) =>
          setTimeout(() => answer(response, form), timeoutMs * 0.9);
      script = [slowly(created), slowly(missing), slowly(created), slowly(healthy)];
      // Each call alone would be in time.
      const outcome = connect(timeoutMs).register(ada);
      await turnsUntil(() => calls.length === 1);
      await vi.advanceTimersByTimeAsync(timeoutMs * 0.9);
      await turnsUntil(() => calls.length === 2);
      await vi.advanceTimersByTimeAsync(timeoutMs * 0.1);
      expect(await outcome).toEqual({ state: 'unavailable', error: 'Timeout' });
      expect(calls).toHaveLength(2);
    });

    it.each<[string, Answer, object?]>([
      ['Throttled', refusal(429, 'Throttled', '')],
      ['InternalError', refusal(500, 'InternalError', '')],
      ['AuthorizationError', refusal(403, 'AuthorizationError', ''), { misconfigured: true }],
      ['InvalidClientTokenId', refusal(403, 'InvalidClientTokenId', ''), { misconfigured: true }],
      [
        'PlatformApplicationDisabled',
        refusal(400, 'PlatformApplicationDisabled', ''),
        { misconfigured: true },
      ],
      ['NotFound', refusal(404, 'NotFound', '')],
      ['HTTP 503', plain(503, html)],
      ['UnreadableAnswer', plain(200, html)],
    ])('is to be tried later after %s', async (error, answer, why = {}) => {
      script = [answer];
      expect(await sns.register(ada)).toEqual({ state: 'unavailable', error, ...why });
      expect(calls).toHaveLength(1);
    });

    it('is refused for a bad token, which is not repeated', async () => {
      const words = `Invalid parameter: Token Reason: ${token} is no token`;
      script = [refusal(400, 'InvalidParameter', words)];
      expect(await sns.register(ada)).toEqual({
        state: 'refused',
        error: 'InvalidParameter: Invalid parameter: Token Reason: <token> is no token',
      });
    });

    it('is refused for a platform that is not configured, without asking SNS', async () => {
      for (const platform of ['windows', 'toString', '__proto__'])
        expect(await sns.register({ platform, token })).toEqual({
          state: 'refused',
          error: 'UnknownPlatform',
        });
      expect(calls).toHaveLength(0);
    });
  });

  describe('removing', () => {
    it('an endpoint that SNS does not know succeeds', async () => {
      script = [missing];
      expect(await sns.remove(endpoint)).toEqual({ state: 'removed' });
    });

    it('is to be tried later when SNS is out of reach', async () => {
      script = [plain(200, html)];
      expect(await sns.remove(endpoint)).toEqual({ state: 'unavailable', error: 'UnreadableAnswer' });
    });
  });
});
