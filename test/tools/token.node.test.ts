import { spawnSync } from 'node:child_process';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { settingDefaults } from '../../tools/settings/defaults.ts';
import { tokenCommand } from '../../tools/tokens/command.ts';

const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_SECRET: localSecret } = settingDefaults;

const cleanEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AUTH_')));

/** The command's work, without a process for it. */
const run = (args: string[], env: Record<string, string> = {}) =>
  tokenCommand(args, { ...cleanEnv(), ...env });

/** The command itself. */
function start(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/tokens/main.ts', ...args], {
    encoding: 'utf8',
    env: { ...cleanEnv(), ...env },
  });
  return { status, stdout, stderr };
}

const local: { issuer: string; audience: string } = { issuer, audience };

const verify = (stdout: string, secret: string = localSecret, expected = local) =>
  jwtVerify(stdout.trimEnd(), new TextEncoder().encode(secret), { ...expected, algorithms: ['HS256'] });

describe('a token for local mode', () => {
  it('is all that is printed, and names the subject, the local issuer and audience, for an hour', async () => {
    const { status, stdout, stderr } = start(['ada']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);

    const { payload } = await verify(stdout);
    expect(payload.sub).toBe('ada');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(payload).not.toHaveProperty('email');
  });

  it('has a verified e-mail and another life time when told', async () => {
    const { stdout } = await run(['chidi', '--email', 'a@b.c', '--expires-in', '60']);
    const { payload } = await verify(stdout);
    expect(payload).toMatchObject({ sub: 'chidi', email: 'a@b.c', email_verified: true });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
  });

  it('says when the person signed in when told', async () => {
    const { stdout } = await run(['ada', '--auth-time', '400']);
    const { payload } = await verify(stdout);
    expect((payload.iat ?? 0) - Number(payload.auth_time)).toBe(400);
    expect((await verify((await run(['ada'])).stdout)).payload).not.toHaveProperty('auth_time');
  });

  it('is in a link that signs in to the console, freshly, when told', async () => {
    const { stdout } = await run(['ada', '--console'], { PORT: '9000' });
    const [, token = ''] = /^http:\/\/127\.0\.0\.1:9000\/console#token=(\S+)\n$/.exec(stdout) ?? [];
    const { payload } = await verify(token);
    expect(payload.auth_time).toBe(payload.iat);
  });

  it('has expired when its life time is negative', async () => {
    const { stdout } = await run(['--expires-in', '-90', 'ada']);
    await expect(verify(stdout)).rejects.toThrow(/"exp" claim timestamp check failed/);
  });

  it('is signed with what the environment says', async () => {
    const env = {
      AUTH_ISSUER: 'https://login.example.org/',
      AUTH_AUDIENCE: 'diary',
      AUTH_SECRET: 'another secret of more than thirty-two bytes',
    };
    const { stdout } = await run(['ada'], env);
    const expected = { issuer: env.AUTH_ISSUER, audience: env.AUTH_AUDIENCE };
    expect((await verify(stdout, env.AUTH_SECRET, expected)).payload.sub).toBe('ada');
  });
});

describe('impossible arguments', () => {
  it.each([
    [[]],
    [['']],
    [['ada', 'bruno']],
    [['a'.repeat(256)]],
    [['ada', '--expires-in', 'soon']],
    [['ada', '--expires-in']],
    [['ada', '--email', 'nobody']],
    [['ada', '--name', 'Ada']],
    [['ada', '--auth-time', 'now']],
  ])('%j gets the usage and status 2', async (args) => {
    const { status, stdout, stderr } = await run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: npm run -s token -- <subject>/);
  });

  it.each([
    [{ AUTH_JWKS_URL: 'https://login.example.org/keys' }, /^AUTH_JWKS_URL is set: .+ none can be made/],
    [{ AUTH_SECRET: 'short' }, /^AUTH_SECRET is shorter than 32 bytes$/],
    [{ AUTH_SECRET: '' }, /AUTH_SECRET/],
  ])('with %j, one clear line says so', async (env, line) => {
    const { status, stdout, stderr } = await run(['ada'], env);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trimEnd()).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('the command ends with that status, and says so where errors are said', () => {
    const usage = start([]);
    expect({ ...usage, stderr: usage.stderr.slice(0, 6) }).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Usage:',
    });
    const secret = 'AUTH_SECRET is shorter than 32 bytes\n';
    expect(start(['ada'], { AUTH_SECRET: 'short' })).toEqual({ status: 1, stdout: '', stderr: secret });
  });
});
