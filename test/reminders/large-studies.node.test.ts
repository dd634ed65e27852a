import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, localService } from '../support/local-service.ts';
import { tables } from '../support/reminder-rows.ts';
import { newStudy } from '../support/studies.ts';

const [members, surveys] = [20, 200];

let service: LocalService;

beforeAll(async () => {
  service = await localService();
});
afterAll(() => service.dispose());

const run = async (sql: string, ...values: string[]) => (await service.client.execute({ sql, values })).rows;
const count = async (from: string) => (await run(`select count(*) from ${from}`))[0]?.[0];

test('while thousands of plans are made others have a turn after each hundred', async () => {
  const { id, owner } = await newStudy(service.world);
  const reminders = JSON.stringify({
    ...{ type: 'rolling', recurrence: '30 21 * * *', expiresAfter: 60, unlessAnswered: false },
    notification: { subject: 'Sleep diary', body: 'How was your night?' },
  });
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i <';
  await run(
    `${numbers} ${members}) insert into user (id, issuer, subject, name, created_at)
      select printf('%032x', i), 'bulk', i, 'Member', 0 from n`,
  );
  await run(
    `insert into member (investigation_id, user_id, role, created_at)
      select ?1, id, 'responder', 0 from user where issuer = 'bulk'`,
    id,
  );
  await run(
    `${numbers} ${surveys - 1}) insert into survey
        (id, investigation_id, name, items, reminders, reminders_since, created_at, revision_id, created_hash)
      select printf('5e%030x', i), ?1, 'Survey ' || i, '[]', ?2, unixepoch() * 1000, i, '', '' from n`,
    ...[id, reminders],
  );
  const answer = await owner.patch(`/investigation/${id}`, { timeZone: 'Asia/Tokyo' });
  expect(answer.status, answer.text).toBe(200);
  let turns = 0;
  while ((await count(tables.work)) !== 0) {
    await setImmediate();
    turns += 1;
  }
  expect(await count(`${tables.scheduled} where id is not null`)).toBe((members + 2) * (surveys - 1));
  expect(turns).toBeGreaterThanOrEqual((members * surveys) / 100);
});
