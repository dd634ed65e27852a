import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { settingDefaults } from '../../tools/settings/defaults.ts';
import { readStartOptions } from '../../tools/settings/settings.ts';
import { formatEnvFile } from '../../tools/start/state-folder.ts';

describe('settings', () => {
  it('are by default those of .dev.vars.example', () => {
    expect(parseEnv(readFileSync('.dev.vars.example', 'utf8'))).toEqual(settingDefaults);
    expect(readStartOptions({}).settings).toEqual(settingDefaults);
  });

  it('listen on 8787 and 8788 and keep their state under .wrangler/state', () => {
    expect(readStartOptions({})).toMatchObject({
      port: 8787,
      snsPort: 8788,
      stateFolder: join(process.cwd(), '.wrangler/state'),
      foreignSns: false,
    });
  });

  it('take what the environment says', () => {
    const options = readStartOptions({
      PORT: '9001',
      SNS_PORT: '9002',
      FIELDBELL_STATE: 'here',
      AUTH_AUDIENCE: 'x',
    });
    expect(options).toMatchObject({ port: 9001, snsPort: 9002, stateFolder: join(process.cwd(), 'here') });
    expect(options.settings).toMatchObject({ AUTH_AUDIENCE: 'x', SNS_ENDPOINT: 'http://127.0.0.1:9002/' });
  });

  it('leave our SNS out when the environment names another', () => {
    const options = readStartOptions({ SNS_ENDPOINT: 'http://127.0.0.1:5555/', SNS_PORT: '8787' });
    expect(options).toMatchObject({ foreignSns: true, settings: { SNS_ENDPOINT: 'http://127.0.0.1:5555/' } });
  });

  it('let a key set take the place of the local secret', () => {
    const { settings } = readStartOptions({ AUTH_JWKS_URL: 'https://login.example.org/keys' });
    expect(settings).not.toHaveProperty('AUTH_SECRET');
  });

  it.each([
    [{ PORT: 'http' }, "PORT is not a port from 1 to 65535: 'http'"],
    [{ SNS_PORT: '65536' }, "SNS_PORT is not a port from 1 to 65535: '65536'"],
    [{ PORT: '9001', SNS_PORT: '9001' }, 'PORT and SNS_PORT are both 9001: set one of them to another port'],
  ])('with %j are refused', (env, message) => {
    expect(() => readStartOptions(env)).toThrow(message);
  });
});

describe('npm start', () => {
  it('says in one line each which variables are at fault, and starts nothing', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/start/main.ts'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        AUTH_SECRET: 'short',
        AWS_REGION: '',
        SNS_PLATFORM_APPLICATIONS: '{"android":1}',
      },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'AUTH_SECRET',
      'AWS_REGION',
      'SNS_PLATFORM_APPLICATIONS',
    ]);
    expect(stderr).not.toContain('short\n');
  });
});

describe('the settings file', () => {
  it('keeps dotenv from putting in other values, whatever quotes the value has', () => {
    expect(formatEnvFile({ A: 'costs $5 # or so', B: "it's", C: '\'`"'.slice(0, 2) })).toBe(
      "A='costs \\$5 # or so'\nB=`it's`\nC=\"'`\"\n",
    );
  });

  it('refuses what it cannot pass on', () => {
    expect(() => formatEnvFile({ AUTH_SECRET: '\'`"' })).toThrow(
      /^AUTH_SECRET contains every kind of quotes/,
    );
  });
});
