import { afterEach, expect, test, vi } from 'vitest';
import { localService } from '../support/local-service.ts';
import { enrol, newCode } from '../support/participants.ts';
import { created, readAnswer, requestOf, signUp } from '../support/people.ts';
import { draws } from '../support/seed.ts';

/** People at once, and the uses of their code. Nobody is asked to come back later. */
const uses = draws(300);
const people = uses + 100;

afterEach(() => void vi.restoreAllMocks());

test(`${people} people who use a code of ${uses} uses at once are ${uses} users, and not one more`, async () => {
  const service = await localService({ MAX_MEMBERS: String(people) });
  try {
    const ada = await signUp(service.world, 'Ada');
    const study = created(await ada.post('/investigation', { name: 'Crowd' })).identifier;
    const { code, identifier } = await newCode(ada, study, { uses });
    const once = async () => (await enrol(service.world, code)).status;
    const statuses = await Promise.all(Array.from({ length: people }, once));
    expect(statuses.filter((status) => status === 201)).toHaveLength(uses);
    expect(statuses.filter((status) => status === 404)).toHaveLength(people - uses);
    const count = (sql: string) => service.client.execute(sql).then(({ rows }) => rows[0]?.[0]);
    expect(await count("select count(*) as n from user where issuer like 'urn:%'")).toBe(uses);
    expect(await count("select count(*) as n from member where role = 'responder'")).toBe(uses);
    expect((await ada.get(`/enrolment/${identifier}`)).body).toMatchObject({ used: uses, state: 'used' });
    expect((await ada.get(`/investigation/${study}/activity/verify`)).status).toBe(200);
  } finally {
    await service.dispose();
  }
});

test('a hall of 300 people joins from one address at once, and the next person waits', async () => {
  const service = await localService({ RATE_LIMIT_ENROL: '300', MAX_MEMBERS: '1000' });
  // The moment of all of them: each two seconds would let another person in.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    const ada = await signUp(service.world, 'Ada');
    const study = created(await ada.post('/investigation', { name: 'Hall' })).identifier;
    const { code, identifier } = await newCode(ada, study, { uses: 500 });
    const join = async () => {
      const request = requestOf({ method: 'POST', body: { code } });
      return readAnswer(await service.app.request('/enrol', request, { address: '203.0.113.7' }));
    };
    const hall = await Promise.all(Array.from({ length: 300 }, join));
    expect(hall.map(({ status }) => status)).toEqual(Array(300).fill(201));
    const next = await join();
    expect([next.status, next.body.code]).toEqual([429, 'rate.limited']);
    expect(Number(next.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await ada.get(`/enrolment/${identifier}`)).body.used).toBe(300);
  } finally {
    await service.dispose();
  }
});
