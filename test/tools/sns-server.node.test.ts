import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { type SnsOptions, startSns } from '../../tools/fakes/sns/server.ts';
import { createSnsClient } from '../support/sns-client.ts';

const { android } = snsDefaults.platformApplications;

describe('the inbox', () => {
  test('is oldest first, and can be asked for the pushes to one token', async () => {
    let now = Date.now();
    const sns = await start({ now: () => now });
    const ada = await sns.register('ada');
    const bea = await sns.register('bea');
    const times: string[] = [];
    for (const arn of [ada, bea, ada]) {
      now += 1000;
      times.push(new Date(now).toISOString());
      await sns.publish(arn);
    }
    expect(await tokensAndTimes(sns.url, '')).toEqual([
      ['ada', times[0]],
      ['bea', times[1]],
      ['ada', times[2]],
    ]);
    expect(await tokensAndTimes(sns.url, '?token=ada')).toEqual([
      ['ada', times[0]],
      ['ada', times[2]],
    ]);
  });
});

describe('phones', () => {
  test('are listed, and can be disabled and deleted behind the back of the service', async () => {
    const sns = await start();
    const arn = await sns.register('ada');
    expect(await sns.get('/phones')).toEqual([{ arn, platform: 'GCM', token: 'ada', enabled: true }]);
    await sns.post('/phones/disable', { token: 'ada' });
    expect(await sns.get('/phones')).toMatchObject([{ enabled: false }]);
    expect((await sns.publish(arn)).text('Code')).toBe('EndpointDisabled');
    await sns.post('/phones/delete', { token: 'ada' });
    expect(await sns.get('/phones')).toEqual([]);
  });

  test('have owners, as far as somebody knows them', async () => {
    const owner = { name: 'Ada', timeZone: 'Asia/Tokyo' };
    const findOwners = async ([first = '']: string[]) => ({ [first]: owner });
    const sns = await start({ findOwners });
    const arn = await sns.register('ada');
    await sns.register('bea');
    expect(await sns.get('/owners')).toEqual({ [arn]: owner });
    expect(await (await start()).get('/owners')).toEqual({});
  });
});

describe('the state file', () => {
  test('carries endpoints and the inbox over a restart', async () => {
    const stateFile = join(await temporaryFolder(), 'deep', 'sns.json');
    const first = await start({ stateFile });
    const arn = await first.register('ada');
    await first.publish(arn);
    const inbox = await first.get('/inbox');
    await first.close();

    const second = await start({ stateFile });
    expect(await second.register('ada')).toBe(arn);
    expect(await second.get('/inbox')).toEqual(inbox);
  });

  test.each(['{', '[]', '{"version":99}', 'null'])('that holds %s stops the start', async (content) => {
    const stateFile = join(await temporaryFolder(), 'sns.json');
    await writeFile(stateFile, content);
    await expect(startSns({ ...snsDefaults, port: 0, stateFile })).rejects.toThrow(
      /is not the state of a local SNS/,
    );
  });
});

describe('the event stream', () => {
  test('begins with what there is and goes on with what happens', async () => {
    const sns = await start();
    const arn = await sns.register('ada');
    const next = await openEvents(sns.url);
    expect(await next()).toEqual(['snapshot', { phones: [expect.objectContaining({ arn })], pushes: [] }]);
    await sns.publish(arn);
    expect(await next()).toEqual([
      'push',
      expect.objectContaining({ token: 'ada', body: 'Hello', collapseId: null }),
    ]);
    await sns.post('/phones/disable', { token: 'ada' });
    expect(await next()).toEqual(['phone', expect.objectContaining({ arn, enabled: false })]);
    await sns.call('DeleteEndpoint', { EndpointArn: arn });
    expect(await next()).toEqual(['deleted', { arn }]);
    await fetch(`${sns.url}/inbox`, { method: 'DELETE' });
    expect(await next()).toEqual(['cleared', {}]);
  });

  test('ends at once when the server closes', async () => {
    const sns = await start();
    const next = await openEvents(sns.url);
    await next();
    // It would never end by itself.
    await sns.close();
    await expect(next()).rejects.toThrow();
  });
});

describe('the page', () => {
  test('comes with all its parts, and may load nothing from elsewhere', async () => {
    const sns = await start();
    const page = await fetch(sns.url);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const html = await page.text();
    const parts = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? '');
    const shared = ['tokens', 'base', 'layout', 'controls'].map((name) => `styles/${name}.css`);
    expect(new Set(parts)).toEqual(new Set(['#content', 'bell.svg', ...shared, 'phones.css', 'phones.js']));
    for (const path of parts) expect((await fetch(`${sns.url}/${path}`)).status, path).toBe(200);
  });
});

describe('the server', () => {
  test('rejects with EADDRINUSE when the port is taken', async () => {
    const { port } = await start();
    await expect(startSns({ ...snsDefaults, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('does nothing for the pages of other sites', async () => {
    const { url } = await start();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await fetch(`${url}/faults`, { method: 'POST', headers, body: '[]' })).status).toBe(403);
  });
});

async function start(options: Partial<SnsOptions> = {}) {
  const sns = await startSns({ ...snsDefaults, port: 0, ...options });
  onTestFinished(() => sns.close());
  const call = createSnsClient(sns.url);
  return {
    ...sns,
    call,
    register: async (token: string): Promise<string> => {
      const { text } = await call('CreatePlatformEndpoint', {
        PlatformApplicationArn: android,
        Token: token,
      });
      return text('EndpointArn') ?? expect.unreachable('no endpoint was created');
    },
    publish: (arn: string) => call('Publish', { TargetArn: arn, Message: 'Hello' }),
    get: async (path: string) => (await fetch(sns.url + path)).json(),
    post: (path: string, body: unknown) =>
      fetch(sns.url + path, { method: 'POST', body: JSON.stringify(body) }),
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function tokensAndTimes(url: string, query: string): Promise<[string, string][]> {
  const pushes = await (await fetch(`${url}/inbox${query}`)).json();
  return pushes.map(({ token, at }: { token: string; at: string }) => [token, at]);
}

/** Opens the stream; each call of what it gives waits for one event: its name and its data. */
async function openEvents(url: string): Promise<() => Promise<[string, unknown]>> {
  const answer = await fetch(`${url}/events`);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = (answer.body ?? expect.unreachable('no stream'))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let buffer = '';
  return async () => {
    while (!buffer.includes('\n\n')) {
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream has ended.');
      buffer += value;
    }
    const end = buffer.indexOf('\n\n');
    const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(buffer.slice(0, end)) ?? [];
    buffer = buffer.slice(end + 2);
    return [name, JSON.parse(data)];
  };
}
