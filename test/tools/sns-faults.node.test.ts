import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { eventuallyPasses } from '../support/eventually.ts';
import { createSnsClient } from '../support/sns-client.ts';

const sns = await startSns({ ...snsDefaults, port: 0 });
const call = createSnsClient(sns.url);
const ada = await register('ada');
const bea = await register('bea');
afterAll(() => sns.close());
beforeEach(async () => {
  sns.inbox.clear();
  await fetch(`${sns.url}/faults`, { method: 'DELETE' });
});

describe('a call fails as asked for', () => {
  test.each([
    ['Throttled', 429, 'Sender'],
    ['InternalError', 500, 'Receiver'],
    ['ServiceUnavailable', 503, 'Receiver'],
    ['AuthorizationError', 403, 'Sender'],
    ['ThrottlingException', 400, 'Sender'],
  ])('with %s, status %i, once, and then no more', async (code, status, type) => {
    await plant({ action: 'Publish', code });
    const { status: actual, text } = await publish(ada);
    expect([actual, text('Code'), text('Type')]).toEqual([status, code, type]);
    expect(sns.inbox.list()).toEqual([]);
    expect((await publish(ada)).status).toBe(200);
  });

  test.each([0, null])('until it is cleared, when times is %s', async (times) => {
    await plant({ action: '*', code: 'Throttled', times });
    expect([await publishStatus(ada), await publishStatus(ada)]).toEqual([429, 429]);
    await fetch(`${sns.url}/faults`, { method: 'DELETE' });
    expect(await publishStatus(ada)).toBe(200);
  });

  test('only for the action that is named', async () => {
    await plant({ action: 'GetEndpointAttributes', code: 'Throttled' });
    expect(await publishStatus(ada)).toBe(200);
    expect((await call('GetEndpointAttributes', { EndpointArn: ada })).status).toBe(429);
  });

  test('only for the device that is named, by its token or its endpoint', async () => {
    await plant([
      { action: 'Publish', code: 'Throttled', token: 'ada' },
      { action: 'Publish', code: 'InternalError', endpointArn: bea },
    ]);
    expect([await publishStatus(bea), await publishStatus(bea)]).toEqual([500, 200]);
    expect([await publishStatus(ada), await publishStatus(ada)]).toEqual([429, 200]);
  });

  test('and EndpointDisabled comes true', async () => {
    const arn = await register('eve');
    await plant({ action: 'Publish', code: 'EndpointDisabled' });
    for (const _ of ['the fault', 'for real']) {
      const { status, text } = await publish(arn);
      expect([status, text('Code'), text('Message')]).toEqual([
        400,
        'EndpointDisabled',
        'Endpoint is disabled',
      ]);
    }
  });

  test('but never a call whose signature is wrong: that one uses up no fault', async () => {
    await plant({ action: '*', code: 'Throttled' });
    const stranger = createSnsClient(sns.url, { secretAccessKey: 'wrong' });
    expect((await stranger('Publish')).text('Code')).toBe('SignatureDoesNotMatch');
    expect(await publishStatus(ada)).toBe(429);
  });
});

describe('an answer is broken', () => {
  test('in the middle of the XML', async () => {
    await plant({ action: 'Publish', kind: 'truncated-xml' });
    const { status, xml } = await publish(ada);
    expect(status).toBe(200);
    expect(xml).toMatch(/^<PublishResponse/);
    expect(xml).not.toContain('</PublishResponse>');
    expect(sns.inbox.list()).toEqual([]);
  });

  test('by an error page of HTML', async () => {
    await plant({ action: 'Publish', kind: 'html', status: 502 });
    const { status, xml } = await publish(ada);
    expect([status, xml]).toEqual([502, expect.stringContaining('<!doctype html>')]);
  });

  test('by a reset, and the push was not accepted', async () => {
    await plant({ action: 'Publish', kind: 'reset' });
    await expect(publish(ada)).rejects.toThrow('fetch failed');
    expect(sns.inbox.list()).toEqual([]);
  });

  test('by a reset, and yet the push was accepted', async () => {
    await plant({ action: 'Publish', kind: 'accepted-then-reset' });
    await expect(publish(ada)).rejects.toThrow('fetch failed');
    expect(sns.inbox.list()).toMatchObject([{ token: 'ada' }]);
  });
});

describe('a call is slow', () => {
  test('but does not hold up the end of the server, and is not carried out after it', async () => {
    const other = await startSns({ ...snsDefaults, port: 0 });
    await fetch(`${other.url}/faults`, { method: 'POST', body: '{"action":"*","delayMs":60000}' });
    const slow = createSnsClient(other.url)('DeleteEndpoint', { EndpointArn: ada });
    const outcome = expect(slow).rejects.toThrow('fetch failed');
    await eventuallyPasses(async () => expect(await (await fetch(`${other.url}/faults`)).json()).toEqual([]));
    await other.close();
    await outcome;
  });
});

test.each([
  ['no JSON', '{', 'The body must be JSON.'],
  ['an unknown field', '{"action":"*","code":"Throttled","sometimes":true}', 'Unrecognized key: "sometimes"'],
  ['an unknown action', '{"action":"Subscribe","code":"Throttled"}', 'action'],
  ['nothing to do', '{"action":"Publish"}', 'expected a code, a kind or a delayMs'],
  ['an unknown kind', '{"action":"Publish","kind":"fire"}', 'kind'],
  ['a negative count', '{"action":"Publish","code":"Throttled","times":-1}', 'times'],
  ['an empty list', '[]', 'Too small'],
])('a fault with %s is refused with a message that says so', async (_, body, message) => {
  const answer = await fetch(`${sns.url}/faults`, { method: 'POST', body });
  expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(message) }]);
  expect(await (await fetch(`${sns.url}/faults`)).json()).toEqual([]);
});

async function plant(faults: unknown): Promise<void> {
  const answer = await fetch(`${sns.url}/faults`, { method: 'POST', body: JSON.stringify(faults) });
  expect(answer.status).toBe(201);
}

async function register(token: string): Promise<string> {
  const application = snsDefaults.platformApplications.android;
  const { text } = await call('CreatePlatformEndpoint', {
    PlatformApplicationArn: application,
    Token: token,
  });
  return text('EndpointArn') ?? expect.unreachable('no endpoint was created');
}

function publish(arn: string) {
  return call('Publish', { TargetArn: arn, Message: 'Hello' });
}

async function publishStatus(arn: string): Promise<number> {
  return (await publish(arn)).status;
}
