import { afterAll, beforeAll, expect, test } from 'vitest';
import { cpuOf, type LocalService, localService } from '../support/local-service.ts';
import { newStudy, type Study } from '../support/studies.ts';

const people = 100_000;

const daily = {
  type: 'rolling',
  recurrence: '0 9 * * *',
  notification: { subject: 'Diary', body: 'How are you?' },
};

let service: LocalService;
let study: Study;

beforeAll(async () => {
  service = await localService();
  study = await newStudy(service.world, { reminders: daily });
  // Beside the two responders of the study.
  const crowd = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${people - 2}),
    person(id) as (select 'c0ffee' || printf('%026x', i) from n)`;
  await service.client.execute(`${crowd} insert into user (id, issuer, subject, name, time_zone, created_at)
    select id, 'crowd', id, 'Participant', 'Europe/Paris', 0 from person`);
  await service.client.execute(`${crowd} insert into member (investigation_id, user_id, role, created_at, participant_since)
    select '${study.id}', id, 'responder', 0, 0 from person`);
});
afterAll(() => service.dispose());

test('a change of reminders is counted for 100,000 people in under five seconds of CPU', async () => {
  const { owner } = study;
  const total = { people: 0, moved: 0, requests: 0 };
  const { cpu } = await cpuOf(async () => {
    let after: string | undefined;
    do {
      const { body } = await owner.post(`/survey/${study.survey}/reminders/change`, {
        reminders: { ...daily, recurrence: '30 18 * * *' },
        // As the console asks: three people, and the counts of the rest.
        limit: after === undefined ? 3 : 0,
        ...(after !== undefined && { cursor: after }),
      });
      total.people += body.people;
      total.moved += body.moved;
      total.requests += 1;
      after = body.next;
    } while (after !== undefined);
  });
  console.log(`${total.requests} requests, ${Math.round(cpu)} ms of CPU`);
  expect(total).toMatchObject({ people, moved: people });
  expect(cpu).toBeLessThan(5_000);
});
