import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, localService } from '../support/local-service.ts';
import { newStudy, type Study } from '../support/studies.ts';

/* On Node and Deno requests share one thread with the plans of a large study. */

const people = 1_200;

const daily = {
  type: 'rolling',
  recurrence: '0 9 * * *',
  notification: { subject: 'Diary', body: 'How are you?' },
};

let service: LocalService;
let study: Study;
const deferred: Promise<void>[] = [];

/** Statements and batches so far. */
let statements = 0;

/** In line with the turns of the plans, which Node gives by immediates and, each 20 ms, by a timer. */
const tick = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
    setTimeout(resolve);
  });

beforeAll(async () => {
  const defer = (work: () => Promise<void>) => void deferred.push(work());
  service = await localService({}, (services) => ({ ...services, defer }));
  study = await newStudy(service.world, { reminders: daily });
  // Beside the two responders of the study.
  const crowd = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people - 2}),
    person(id) as (select 'c0ffee' || printf('%026x', i) from n)`;
  const { client } = service;
  await client.execute(`${crowd} insert into user (id, issuer, subject, name, time_zone, created_at)
    select id, 'crowd', id, 'Participant', 'Europe/Paris', 0 from person`);
  await client.execute(`${crowd} insert into member (investigation_id, user_id, role, created_at, participant_since)
    select '${study.id}', id, 'responder', 0, 0 from person`);
  const { execute, batch } = client;
  client.execute = (...given) => {
    statements++;
    return execute.apply(client, given);
  };
  client.batch = (...given) => {
    statements++;
    return batch.apply(client, given);
  };
  await Promise.all(deferred.splice(0));
});
afterAll(() => service.dispose());

test.each([
  [
    'the reminders of a survey',
    () => `/survey/${study.survey}`,
    { reminders: { ...daily, recurrence: '0 18 * * *' } },
  ],
  ['the zone of a study', () => `/investigation/${study.id}`, { timeZone: 'Asia/Tokyo' }],
] as const)(
  'while 1,200 people are planned after a change of %s, others have a turn after few statements',
  async (_, path, change) => {
    const all = statements;
    expect((await study.owner.patch(path(), change)).status).toBe(200);
    let most = 0;
    let ended = false;
    const planned = Promise.all(deferred.splice(0)).finally(() => {
      ended = true;
    });
    while (!ended) {
      const before = statements;
      await tick();
      most = Math.max(most, statements - before);
    }
    await planned;
    expect(statements - all).toBeGreaterThan(people / 100);
    expect(most).toBeLessThanOrEqual(8);
  },
);
