import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { createSns } from '../../../src/push/sns/push.ts';
import { isOnPath, startMoto } from '../../support/moto.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const text = readFileSync(join(deploy, 'aws.md'), 'utf8');
const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
const hasTools = ['moto_server', 'aws', 'jq', 'bash'].every(isOnPath);

test('the policy allows what the service calls, and nothing else', () => {
  const { Statement } = JSON.parse(readFileSync(join(deploy, 'iam-policy.json'), 'utf8'));
  const allowed = Statement.flatMap((statement: { Action: string | string[] }) => statement.Action);
  const sources = ['push.ts', 'endpoints.ts'].map((file) =>
    readFileSync(join(import.meta.dirname, '../../../src/push/sns', file), 'utf8'),
  );
  const called = [...sources.join('\n').matchAll(/\bcall\(\s*'(\w+)'/g)].map(([, action]) => `sns:${action}`);
  expect(allowed.toSorted()).toEqual([...new Set(called)].toSorted());
  for (const { Resource } of Statement)
    for (const arn of Resource) expect(arn).toMatch(/^arn:aws:sns:REGION:ACCOUNT:(app|endpoint)\/[\w/-]+/);
});

test.runIf(hasTools)('the commands of deploy/aws.md lead to settings that work', async () => {
  const moto = await startMoto();
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-deploy-'));
  try {
    cpSync(join(deploy, 'iam-policy.json'), join(folder, 'iam-policy.json'));
    writeFileSync(
      join(folder, 'firebase.json'),
      '{\n  "type": "service_account",\n  "private_key": "-\\n="\n}\n',
    );
    writeFileSync(join(folder, 'apple.p8'), '-----BEGIN PRIVATE KEY-----\nMIGT\n-----END PRIVATE KEY-----\n');
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', commands], {
      cwd: folder,
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: moto.url,
        AWS_ACCESS_KEY_ID: 'administrator',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_CONFIG_FILE: '/dev/null',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      },
    });
    const settings = Object.fromEntries(
      [...stdout.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const { relay } = readConfig({
      AUTH_ISSUER: 'https://login.example.org/',
      AUTH_AUDIENCE: 'fieldbell',
      FIELDBELL_LOCAL: 'true',
      AUTH_SECRET: 'a-secret-of-at-least-32-bytes-for-tests',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      ...settings,
    });
    if (!relay) throw new Error('no SNS');
    expect(relay.eventTopics).toEqual([expect.stringMatching(/:fieldbell-events$/)]);
    expect(stdout).toContain('https://fieldbell.example.org/relay/events');
    expect(stdout).toContain('"SecretAccessKey"');
    const sns = createSns({ ...relay, endpoint: moto.url });
    for (const platform of ['android', 'ios'])
      expect(await sns.register({ platform, token: `token-${platform}` })).toMatchObject({
        state: 'registered',
      });
  } finally {
    await moto.stop();
    rmSync(folder, { recursive: true });
  }
});
