import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { query } from '../../src/db/query.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { checkPlans, walksOf } from '../support/worker/plans.ts';
import { signUp } from '../support/worker/world.ts';

/*
 * At the end of each file its statements of the service are explained (`plans.ts`). Here is what that finds.
 */

// A planted statement is no fault of the service.
afterEach(() => checkPlans().catch(() => {}));

test.each([
  ['a table without an index', 'select id from device where language = ?1', 'device'],
  ['an alias', 'select d.id from device d where d.language = ?1', 'device'],
  ['a whole index', 'select count(*) from webhook', 'webhook'],
  ['an inner query', 'select 1 where exists (select 1 from "user" as "u" where u.name = ?)', 'user'],
  ['a write', 'update response set reasons = ?1 where items = ?2', 'response'],
  [
    'the triggers of a write',
    'delete from member where investigation_id in (select s.investigation_id from survey s where s.name = ?1)',
    'survey',
  ],
])('%s is found: %s', async (_, text, table) => {
  expect((await walksOf(text)).map((walk) => walk.table)).toEqual([table]);
});

test.each([
  'select id from user where id = ?1',
  'select value from json_each(?1)',
  'select max(sequence) from change where investigation_id = ?1',
  'select id from webhook where next_attempt_at <= ?1 order by next_attempt_at limit 10',
])('%s is fine', async (text) => expect(await walksOf(text)).toEqual([]));

test("the service's statements are noted, a test's own are not", async () => {
  await signUp('Ada');
  await env.DB.prepare('select count(*) from user where name = ?').bind('Ada').all();
  await checkPlans();
  const db = openD1(env.DB);
  await query(db, 'select count(*) as n from user where name = :name', { name: 'Ada' });
  await expect(checkPlans()).rejects.toThrow(/SCAN user.*\(the table user\) in:\nselect count/);
});
