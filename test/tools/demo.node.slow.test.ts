import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, signIn } from '../../tools/demo/api.ts';
import { type OwnService, startOwnService } from '../../tools/demo/own-service.ts';
import { demoStudy } from '../../tools/demo/study.ts';
import { freePorts } from '../support/ports.ts';
import { startFieldbell } from './start-driver.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

const [diary, moments] = ['Night shifts and sleep', 'Tiredness, moment by moment'];
const { owner } = demoStudy.people;

const makeDemo =
  (...until: string[]) =>
  (file: string, settings: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['tools/demo/main.ts', file, ...until], {
      env: { ...process.env, ...settings },
    });

test('npm run demo, when somebody leaves between a push and its nudge', async () => {
  const service = await startOwnService(makeDemo(`${new Date().toISOString().slice(0, 10)}T18:45:00Z`));
  await service.end();
});

describe('npm run demo', () => {
  let service: OwnService;
  let ada: Caller;
  const ids: Record<string, string> = {};
  const get = (path: string): Promise<Body> => ada.call('GET', path);
  const of = (name: string, path = '') => get(`/investigation/${ids[name]}${path}`);

  beforeAll(async () => {
    service = await startOwnService(makeDemo());
    ada = await signIn({ ...service, signal: new AbortController().signal }, owner);
    for (const { name, identifier } of (await get('/investigation')).investigations) ids[name] = identifier;
  });
  afterAll(() => service?.end());

  test('makes two studies, eight weeks ago', async () => {
    expect(Object.keys(ids).sort()).toEqual([diary, moments].sort());
    const weeksSince = (study: Body) => (Date.now() - Date.parse(study.creation)) / (7 * 24 * 3600_000);
    for (const name of [diary, moments]) expect(weeksSince(await of(name))).toBeCloseTo(8, 0);
  });

  test('has a diary of 24 participants in five zones, with each kind of trouble', async () => {
    const { attention } = await of(diary, '/compliance/attention');
    const first = Object.fromEntries(attention.map((one: Body) => [one.reason, one.first]));
    const names = (reason: string) => first[reason].map(({ name }: Body) => name);
    expect(names('unreachable')).toEqual(['Farid Haddad']);
    expect(names('paused')).toEqual(['Ivo Petrov']);
    const { participants } = await of(diary, '/compliance?attention=silent');
    expect(participants.map(({ name }: Body) => name)).toContain('Hana Suzuki');
    expect(names('never-downloaded')).toEqual(['Kofi Mensah']);
    expect(participants.find(({ name }: Body) => name === 'Kofi Mensah')).toMatchObject({ answered: 0 });
    const { members, invitations } = await of(diary, '/members');
    expect(invitations).toMatchObject([{ email: 'dr.lund@example.org' }]);
    expect(members.find(({ name }: Body) => name === 'Farid Haddad').enrolment).toMatchObject({
      label: 'Ward 3',
    });
    expect((await of(diary, '/enrolments')).enrolments).toMatchObject([{ state: 'open', used: 1, uses: 20 }]);
    expect(members.filter(({ role }: Body) => role === 'responder')).toHaveLength(23);
    const { notifications } = await of(diary, `/notifications?user=${await userOf('Greta Olsen')}`);
    expect(new Set(notifications.map(({ timeZone }: Body) => timeZone))).toEqual(
      new Set(['Europe/Paris', 'Asia/Tokyo']),
    );
  });

  test('has counts that are the sum of what happened to each participant, those who left included', async () => {
    const today = new Date(Date.now() + 14 * 3600_000).toISOString().slice(0, 10);
    const from = new Date(Date.now() - 58 * 24 * 3600_000).toISOString().slice(0, 10);
    const { totals } = await of(diary, `/compliance?from=${from}&to=${today}`);
    expect(totals.due).toBeGreaterThan(23 * 54);
    expect(totals.answered / totals.due).toBeGreaterThan(0.5);
    expect(totals.skipped).toMatchObject({ paused: 3, 'study-frozen': expect.any(Number) });
    expect(totals.skipped['no-device']).toBeGreaterThan(15);
    expect(totals.failed).toBe(1);
    expect(totals.opened).toBeLessThan(totals.shown);
  });

  test('has nudges, locks, a frozen phase and a signature, in a log that verifies', async () => {
    expect(await of(diary, '/activity/verify')).toMatchObject({ valid: true });
    const { activities } = await of(diary, '/activity?limit=100');
    const actions = activities.map(({ action }: Body) => action);
    for (const action of ['items.locked', 'study.frozen', 'study.unfrozen', 'member.removed'])
      expect(actions).toContain(action);
    expect(activities.find(({ signature }: Body) => signature)?.signature.meaning).toMatch(
      /^I have reviewed/,
    );
    const { responses } = await of(diary, '/responses?locked=true&limit=10');
    expect(responses).toHaveLength(10);
    const { notifications } = await of(
      moments,
      `/notifications?user=${await userOf('Hugo Lambert', moments)}`,
    );
    expect(JSON.stringify(notifications)).toContain('"kind":"nudge"');
  });

  test('has a webhook whose receiver was down for a day, and which has caught up', async () => {
    const { webhooks } = await of(diary, '/webhooks');
    expect(webhooks).toMatchObject([{ state: 'active' }]);
    const { deliveries } = await get(`/webhook/${webhooks[0].identifier}/deliveries`);
    expect(new Set(deliveries.map(({ status }: Body) => status))).toEqual(new Set([204, 503]));
  });

  const userOf = async (name: string, study: string = diary): Promise<string> =>
    (await of(study, '/members')).members
      .find((member: Body) => member.name === name)
      .user.split('/')
      .at(-1);
});

test('npm start has them in a new database, beside the study to try', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-demo-'));
  const [port, snsPort] = await freePorts(2);
  const env = { PORT: `${port}`, SNS_PORT: `${snsPort}`, FIELDBELL_STATE: folder, FIELDBELL_DEMO: 'on' };
  const run = startFieldbell(env);
  try {
    await run.said('curl -s -X PATCH');
    const [token = ''] = /^eyJ\S+$/m.exec(run.output().stdout) ?? [];
    const answer = await fetch(`http://127.0.0.1:${port}/investigation`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { investigations } = (await answer.json()) as Body;
    expect(investigations.map(({ name }: Body) => name)).toEqual([diary, moments, demoStudy.name]);
    expect(run.output().stderr).toBe('');
  } finally {
    run.child.kill('SIGTERM');
    await run.ended();
    await rm(folder, { recursive: true, force: true });
  }
});
