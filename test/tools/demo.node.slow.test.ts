import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { d1File } from '../../tools/database/d1-file.ts';
import { type Caller, signIn } from '../../tools/demo/api.ts';
import { type OwnService, startOwnService } from '../../tools/demo/own-service.ts';
import { demoStudy } from '../../tools/demo/study.ts';
import { eventually, eventuallyPasses } from '../support/eventually.ts';
import { freePorts } from '../support/ports.ts';
import { descendantsOf, listProcesses, startFieldbell } from './start-driver.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Body = any;

const { owner } = demoStudy.people;

const makeDemo = (file: string, settings: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['tools/demo/bundled.mjs', file], {
    env: { ...process.env, ...settings },
  });

describe('npm run demo', () => {
  let service: OwnService;
  let ada: Caller;
  let studies: Body[];
  const get = (path: string): Promise<Body> => ada.call('GET', path);
  const of = (path: string) => get(`/investigation/${studies[0].identifier}${path}`);

  beforeAll(async () => {
    service = await startOwnService(makeDemo);
    ada = await signIn({ ...service, signal: new AbortController().signal }, owner);
    studies = (await get('/investigation')).investigations;
  });
  afterAll(() => service?.end());

  test('makes the study of npm start, eight weeks ago', async () => {
    expect(studies.map(({ name }) => name)).toEqual([demoStudy.name]);
    const weeks = (Date.now() - Date.parse((await of('')).creation)) / (7 * 24 * 3600_000);
    expect(weeks).toBeCloseTo(8, 0);
  });

  test('has participants in five zones, with each kind of trouble', async () => {
    const { attention } = await of('/compliance/attention');
    const first = Object.fromEntries(attention.map((one: Body) => [one.reason, one.first]));
    const names = (reason: string) => first[reason].map(({ name }: Body) => name);
    expect(names('unreachable')).toEqual(['Farid Haddad']);
    expect(names('paused')).toEqual(['Ivo Petrov']);
    const { participants } = await of('/compliance?attention=silent');
    expect(participants.map(({ name }: Body) => name)).toContain('Hana Suzuki');
    expect(names('never-downloaded')).toEqual(['Kofi Mensah']);
    expect(participants.find(({ name }: Body) => name === 'Kofi Mensah')).toMatchObject({ answered: 0 });
    const { members, invitations } = await of('/members');
    expect(invitations).toMatchObject([{ email: 'dr.lund@example.org' }]);
    expect(members.find(({ name }: Body) => name === 'Farid Haddad').enrolment).toMatchObject({
      label: 'Ward 3',
    });
    expect((await of('/enrolments')).enrolments).toMatchObject([{ state: 'open', used: 1, uses: 20 }]);
    expect(members.filter(({ role }: Body) => role === 'responder')).toHaveLength(15);
    const { notifications } = await of(`/notifications?user=${await userOf('Greta Olsen')}&limit=1000`);
    expect(new Set(notifications.map(({ timeZone }: Body) => timeZone))).toEqual(
      new Set(['Europe/Paris', 'Asia/Tokyo']),
    );
  });

  test('has two sites and two arms, a survey for one arm, and a monitor of one site', async () => {
    const { members } = await of('/members');
    const groups = members
      .filter(({ role }: Body) => role === 'responder')
      .map(({ properties }: Body) => `${properties.site}, ${properties.arm}`);
    expect(new Set(groups)).toEqual(
      new Set(['Lyon, glasses', 'Lyon, usual light', 'Paris, glasses', 'Paris, usual light']),
    );
    const { surveys } = await of('/surveys');
    expect(
      surveys.filter((survey: Body) => survey.for).map((survey: Body) => [survey.name, survey.for]),
    ).toEqual([['Light glasses', { arm: ['glasses'] }]]);
    const mona = await signIn({ ...service, signal: new AbortController().signal }, demoStudy.people.monitor);
    const seen = (await mona.call<Body>('GET', `/investigation/${studies[0].identifier}/cases`)).cases;
    expect(seen.length).toBeGreaterThan(5);
    expect(new Set(seen.map(({ properties }: Body) => properties.site))).toEqual(new Set(['Lyon']));
  });

  test('has counts that are the sum of what happened to each participant, those who left included', async () => {
    const today = new Date(Date.now() + 14 * 3600_000).toISOString().slice(0, 10);
    const from = new Date(Date.now() - 58 * 24 * 3600_000).toISOString().slice(0, 10);
    const { totals } = await of(`/compliance?from=${from}&to=${today}`);
    expect(totals.due).toBeGreaterThan(15 * 54);
    expect(totals.answered / totals.due).toBeGreaterThan(0.5);
    expect(totals.skipped).toMatchObject({ paused: expect.any(Number), 'study-frozen': expect.any(Number) });
    expect(totals.skipped['no-device']).toBeGreaterThan(15);
    expect(totals.failed).toBe(1);
    expect(totals.opened).toBeLessThan(totals.shown);
  });

  test('has nudges, locks, a frozen phase and a signature, in a log that verifies', async () => {
    expect(await of('/activity/verify')).toMatchObject({ valid: true });
    const { activities } = await of('/activity?limit=100');
    const actions = activities.map(({ action }: Body) => action);
    for (const action of ['items.locked', 'study.frozen', 'study.unfrozen', 'member.removed'])
      expect(actions).toContain(action);
    expect(activities.find(({ signature }: Body) => signature)?.signature.meaning).toMatch(
      /^I have reviewed/,
    );
    const { responses } = await of('/responses?locked=true&limit=10');
    expect(responses).toHaveLength(10);
    const { notifications } = await of(`/notifications?user=${await userOf('Will Turner')}`);
    expect(JSON.stringify(notifications)).toContain('"kind":"nudge"');
  });

  test('has a webhook whose receiver was down for a day, and which has caught up', async () => {
    const { webhooks } = await of('/webhooks');
    expect(webhooks).toMatchObject([{ state: 'active' }]);
    const { deliveries } = await get(`/webhook/${webhooks[0].identifier}/deliveries`);
    expect(new Set(deliveries.map(({ status }: Body) => status))).toEqual(new Set([204, 503]));
  });

  const userOf = async (name: string): Promise<string> =>
    (await of('/members')).members
      .find((member: Body) => member.name === name)
      .user.split('/')
      .at(-1);
});

test('npm start prints the study, whose weeks it has in a new database, and starts on it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-demo-'));
  const [port, snsPort] = await freePorts(2);
  const env = { PORT: `${port}`, SNS_PORT: `${snsPort}`, FIELDBELL_STATE: folder, FIELDBELL_DEMO: 'on' };
  try {
    for (const start of ['first', 'second']) {
      const run = startFieldbell(env);
      try {
        await run.said('curl -s -X PATCH');
        const { stdout, stderr } = run.output();
        const [token = ''] = /^eyJ\S+$/m.exec(stdout) ?? [];
        const [, study] = /\/investigation\/(\w+)\/responses/.exec(stdout) ?? [];
        const get = async (path: string): Promise<Body> =>
          (
            await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
          ).json();
        const { investigations } = await get('/investigation');
        expect(investigations).toMatchObject([{ name: demoStudy.name, identifier: study }]);
        expect((await get(`/investigation/${study}/surveys`)).surveys).toHaveLength(5);
        expect((await get(`/investigation/${study}/responses`)).responses.length).toBeGreaterThan(400);
        expect(stderr, start).toBe('');
      } finally {
        run.child.kill('SIGTERM');
        await run.ended();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('npm start that is stopped while it makes the weeks leaves no half of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldbell-demo-'));
  const [port, snsPort] = await freePorts(2);
  const run = startFieldbell({
    PORT: `${port}`,
    SNS_PORT: `${snsPort}`,
    FIELDBELL_STATE: folder,
    FIELDBELL_DEMO: 'on',
  });
  try {
    await eventually('demo.db', () => existsSync(join(folder, 'demo.db')));
    const family = descendantsOf(run.child.pid ?? 0).map(({ pid }) => pid);
    run.child.kill('SIGTERM');
    expect(await run.ended()).toBe(0);
    expect(run.output().stderr).toBe('');
    expect(existsSync(d1File(folder))).toBe(false);
    await eventuallyPasses(() =>
      expect(listProcesses().filter(({ pid }) => family.includes(pid))).toEqual([]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
