import { env } from 'cloudflare:workers';
import { inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { groupCommit } from '../../src/db/group-commit.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { users } from '../../src/people/schema.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { d1Driver } from '../../src/platform/cloudflare/d1-driver.ts';
import { joinDeliveries } from '../../src/platform/cloudflare/delivery-batches.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../../src/reminders/deliver.ts';
import { notifications } from '../../src/reminders/schema.ts';
import { easyPush, proved } from '../support/worker/apps.ts';
import { setClock } from '../support/worker/clock.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

test('deliveries to several users at once share two round trips to D1', async () => {
  const study = await sleepStudy(daily);
  const people = [study.owner, study.editor, study.responder, study.other];
  for (const person of people) {
    await newPhone(person);
    await pendingOf(person);
  }
  setClock('2027-03-01T20:30:00.000Z');
  const { counts, database } = countedD1(env.DB);
  const services = createServices(env);
  const { run, batch } = d1Driver(database);
  const db = openDatabase({ run, batch: joinDeliveries(batch) });
  const push = { ...services.push, ...easyPush };
  const writes = proved();
  await Promise.all(people.map(({ id }) => deliver({ ...services, db, push, writes, log: () => {} }, id)));
  expect(counts.roundTrips).toBe(2);
  expect(counts.rowsWritten).toBe(4 * people.length);
  const ids = people.map(({ id }) => id);
  const rows = await services.db.select().from(notifications).where(inArray(notifications.userId, ids));
  expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(people.length);
  expect(rows.filter(({ settledAt }) => settledAt === null)).toHaveLength(people.length);
});

test('a caller whose statement fails costs the others one more round trip each, and nothing else', async () => {
  const { counts, database } = countedD1(env.DB);
  const db = groupCommit(openD1(database), { maxWaitMs: 50 });
  const sign = (id: string, name: string) => db.batch([db.insert(users).values({ id, name, createdAt: 0 })]);
  const results = await Promise.allSettled([
    sign('ada-coalesced', 'Ada'),
    sign('ada-coalesced', 'Ada again'),
    sign('bruno-coalesced', 'Bruno'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(counts.roundTrips).toBe(4);
});
