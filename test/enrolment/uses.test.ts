import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newIdentifier } from '../../src/identifiers.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';
import { enrol, newCode } from '../support/participants.ts';
import { type Person, readAnswer, requestOf } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

let study: Study;
let owner: Person;

beforeAll(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  owner = study.owner;
});
beforeEach(() => setClock(startOfTests));

const read = async (identifier: string) => (await owner.get(`/enrolment/${identifier}`)).body;

describe('people who join from one address', () => {
  const hall = '203.0.113.7';

  /** A service that lets three people of an address join in ten minutes. */
  function service() {
    const now = () => Date.now();
    const rateLimits = {
      user: tokenBuckets(0),
      address: tokenBuckets(0),
      code: tokenBuckets(2, now),
      enrol: tokenBuckets(3, now, 10 * minutes),
    };
    const app = createApp({ ...createServices(env), rateLimits, log: () => {} }, readConfig(env));
    return async (code: string, address = hall, more: object = {}) => {
      const request = requestOf({ method: 'POST', body: { code, ...more } });
      return readAnswer(await app.request('/enrol', request, { address }));
    };
  }

  test('are as many as the limit allows, by whatever codes; the code of the next one keeps its use', async () => {
    const join = service();
    const [poster, card] = [
      await newCode(owner, study.id, { uses: 50 }),
      await newCode(owner, study.id, { uses: 1 }),
    ];
    for (const { code } of [poster, card, poster]) expect((await join(code)).status).toBe(201);
    const refused = await changingNothing(() => join(poster.code));
    expectProblem(refused, 'rate.limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await read(poster.identifier)).used).toBe(2);
    expect((await join(poster.code, '203.0.113.8')).status, 'another address').toBe(201);
    later(10 * minutes);
    for (let n = 0; n < 3; n++) expect((await join(poster.code)).status).toBe(201);
    expectProblem(await join(poster.code), 'rate.limited');
  });

  test('are counted by /64 in IPv6', async () => {
    const join = service();
    const { code } = await newCode(owner, study.id, { uses: 50 });
    for (let n = 1; n <= 3; n++) expect((await join(code, `2001:db8::${n}`)).status).toBe(201);
    expectProblem(await join(code, '2001:db8::4'), 'rate.limited');
    expect((await join(code, '2001:db8:0:1::4')).status).toBe(201);
  });

  test('are counted once, however often their requests are repeated', async () => {
    const join = service();
    const { code, identifier } = await newCode(owner, study.id, { uses: 50 });
    const secrets = [1, 2, 3].map(() => ({ secret: newIdentifier(Date.now()) }));
    const first = secrets[0] as (typeof secrets)[number];
    expect((await join(code, hall, first)).status).toBe(201);
    for (let n = 0; n < 9; n++) expect((await join(code, hall, first)).status).toBe(200);
    for (const one of secrets.slice(1)) expect((await join(code, hall, one)).status).toBe(201);
    expectProblem(await join(code), 'rate.limited');
    expect((await join(code, hall, first)).status, 'somebody who has joined').toBe(200);
    expect((await read(identifier)).used).toBe(3);
  });

  test('wait for nothing but their turn: a refusal is no wrong code, and wrong codes are no uses', async () => {
    const join = service();
    const { code } = await newCode(owner, study.id, { uses: 50 });
    for (let n = 0; n < 2; n++) expect((await join('7M2K-9QXB-4TWD')).status).toBe(404);
    for (let n = 0; n < 3; n++) expect((await join(code)).status).toBe(201);
    later(1000 * 60);
    for (let n = 0; n < 5; n++) await join(code);
    expect((await join('7M2K-9QXB-4TWD')).status, 'a wrong code is answered').toBe(404);
  });
});

describe('the uses of a code by the hour', () => {
  const usesOf = async (identifier: string) => (await read(identifier)).usesByHour;

  test('are those of the last 48 hours, each by its beginning, in the list as alone', async () => {
    const { code, identifier } = await newCode(owner, study.id, { uses: 50 });
    expect(await usesOf(identifier)).toEqual([]);
    const join = async (n: number) => {
      for (let i = 0; i < n; i++) expect((await enrol(world, code)).status).toBe(201);
    };
    later(59 * minutes);
    await join(3);
    later(minutes);
    await join(1);
    later(30 * hours);
    await join(2);
    const uses = [
      { hour: '2027-03-01T08:00:00.000Z', uses: 3 },
      { hour: '2027-03-01T09:00:00.000Z', uses: 1 },
      { hour: '2027-03-02T15:00:00.000Z', uses: 2 },
    ];
    expect(await usesOf(identifier)).toEqual(uses);
    const { enrolments } = (await owner.get(`/investigation/${study.id}/enrolments`)).body;
    expect(enrolments.at(-1)).toMatchObject({ identifier, usesByHour: uses, used: 6 });
    later(18 * hours);
    expect(await usesOf(identifier)).toEqual(uses.slice(2));
    await join(1);
    expect(await usesOf(identifier)).toEqual([
      ...uses.slice(2),
      { hour: '2027-03-03T09:00:00.000Z', uses: 1 },
    ]);
    const row = env.DB.prepare('select uses_by_hour from enrolment where id = ?').bind(identifier);
    expect(
      Object.keys(JSON.parse((await row.first<string>('uses_by_hour')) ?? '')),
      'kept hours',
    ).toHaveLength(2);
  });

  test('do not count repeats, nor people who were refused', async () => {
    const { code, identifier } = await newCode(owner, study.id);
    const secret = newIdentifier(Date.now());
    for (const status of [201, 200, 200]) expect((await enrol(world, code, { secret })).status).toBe(status);
    expect((await enrol(world, code)).status).toBe(404);
    expect(await usesOf(identifier)).toEqual([{ hour: '2027-03-01T08:00:00.000Z', uses: 1 }]);
  });
});
