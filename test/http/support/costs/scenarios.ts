import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Crowds } from './crowds.ts';
import { type Sender, statusOf } from './sender.ts';
import type { World } from './tree.ts';

/** Many requests at once, and what others saw meanwhile. */
export interface ScenarioCost {
  scenario: string;
  ms: number;
  cpu: number;
  stall: number;
  stallCpu: number;
  /** How many were answered how; 0: not within the time. */
  statuses: Record<string, number>;
  /** The fate of somebody else's push meanwhile. */
  push?: string;
}

interface Asked {
  path: string;
  token?: string;
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

const pushPatienceMs = 25_000;

/** A bucket that was empty holds enough for a crowd by then. */
const restMs = 4_000;

export interface Stage {
  world: World;
  crowds: Crowds;
  sender: Sender;
}

const initOf = ({ token, method = 'GET', body, headers }: Asked): RequestInit => ({
  method,
  headers: {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
    ...headers,
  },
  ...(body && { body: JSON.stringify(body) }),
});

/** Sends all at once. */
async function crowd({ sender }: Stage, scenario: string, requests: Asked[], beside?: () => Promise<string>) {
  const statuses: Record<string, number> = {};
  const count = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  let push: string | undefined;
  const cost = await sender.during(async (signal) => {
    const all = requests.map(async (asked) => {
      const url = `${sender.service().url}${asked.path}`;
      count(await statusOf(url, { ...initOf(asked), signal }).catch(() => 0));
    });
    await Promise.all([
      ...all,
      beside?.().then((text) => {
        push = text;
      }),
    ]);
  });
  const { result: _, ...figures } = cost;
  return { scenario, ...figures, statuses, ...(push !== undefined && { push }) };
}

/** Until the limits of the sender have forgotten the scenario before. */
async function rested(sender: Sender, { token }: Partial<Asked> = {}) {
  if (!token) return;
  const read = () => statusOf(`${sender.service().url}/user/me`, initOf({ path: '', token }));
  while ((await read()) === 429) await sleep(500);
  await sleep(restMs);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

export async function measureCrowds(stage: Stage): Promise<ScenarioCost[]> {
  const { world, crowds, sender } = stage;
  const large = await world.tokenOf(crowds.large);
  const small = await Promise.all(crowds.small.map(world.tokenOf));
  const study = `/investigation/${crowds.study}`;
  const csv = { accept: 'text/csv' };
  const found: ScenarioCost[] = [];
  const add = async (scenario: string, requests: Asked[], beside?: () => Promise<string>) => {
    await rested(sender, requests[0]);
    found.push(await crowd(stage, scenario, requests, beside));
    console.error(JSON.stringify(found.at(-1)));
  };
  const one = { path: '/user/me/export', token: large };
  await add('an export of a small account', [{ path: one.path, token: small[0] ?? '' }]);
  await add('an export of the large account', [one]);
  await add('a list of all responses', [{ path: `${study}/responses`, token: large }]);
  await add('a CSV of all responses', [{ path: `${study}/responses`, token: large, headers: csv }]);
  await add(
    '300 exports of 300 small accounts',
    small.map((token) => ({ path: one.path, token })),
  );
  await add('300 exports of one small account', times(300, { path: one.path, token: small[0] ?? '' }));
  await add('60 exports of the large account', times(60, one));
  await add('60 lists of all responses', times(60, { path: `${study}/responses`, token: large }));
  await add(
    '60 CSVs of all responses',
    times(60, { path: `${study}/responses`, token: large, headers: csv }),
  );
  await add('60 lists of all cases', times(60, { path: `${study}/cases`, token: large }));
  const owner = await world.person(crowds.large);
  const { code } = await owner.post(`${study}/enrolment`, { uses: 100_000 });
  await add(
    '500 uses of one code',
    times(500, { path: '/enrol', method: 'POST', body: { code, timeZone: 'UTC' } }),
  );
  await add('150 test calls to names that do not answer', await silentCalls(world), () =>
    pushTo(world, () => sender.service().url),
  );
  return found;
}

/** Tests of twenty webhooks whose names nobody answers for, each again and again: an address is looked up when it is set, too. */
async function silentCalls(world: World): Promise<Asked[]> {
  const owner = await world.person('wanda');
  const studies = await Promise.all(
    [0, 1].map((n) => owner.post('/investigation', { name: `Calls ${n}` }).then((body) => body.identifier)),
  );
  const hooks = await Promise.all(
    studies.flatMap((study, n) =>
      times(10, study).map((identifier, k) =>
        owner.post(`/investigation/${identifier}/webhook`, {
          url: `https://silent-${n}-${k}.example.org/`,
        }),
      ),
    ),
  );
  return Array.from({ length: 150 }, (_, n) => ({
    path: `/webhook/${hooks[n % hooks.length]?.identifier}/test`,
    token: owner.token,
    method: 'POST',
    body: {},
  }));
}

/** A moment later somebody else registers a phone and tries it, again and again: the relay has a name, too. */
async function pushTo(world: World, url: () => string): Promise<string> {
  await sleep(1_000);
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const { token, post } = await world.person('other');
  const device = { platform: 'android', token: 'phone-of-another', timeZone: 'UTC' };
  for (let tries = 1; performance.now() - began < pushPatienceMs; tries++) {
    const signal = AbortSignal.timeout(pushPatienceMs);
    const status = await post('/user/me/device', device)
      .then(({ identifier }) => `${url()}/device/${identifier}/test`)
      .then((path) => statusOf(path, { ...initOf({ path, token, method: 'POST' }), signal }))
      .catch(() => 0);
    if (status === 202) return `arrived after ${seconds()} s, at the ${tries}. try`;
    await sleep(1_000);
  }
  return `none within ${seconds()} s`;
}

/** A resolver on the loopback address that takes every question and answers none. Null where it cannot be had. */
export async function silentResolver(): Promise<{ address: string; close(): void } | null> {
  const address = '127.0.0.53';
  const socket = createSocket('udp4');
  try {
    socket.bind(53, address);
    await once(socket, 'listening');
    return { address, close: () => socket.close() };
  } catch {
    return null;
  }
}
