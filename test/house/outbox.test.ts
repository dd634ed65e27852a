import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** A column that drizzle sets, or a `set` of SQL's own. */
const writesStamp = (source: string) =>
  /\bplanStamp\s*:/.test(source) || /\bset\b[^;`]*\bplan_stamp\b\s*=/i.test(source);
const insertsJob = (source: string) => /\binsert\(replans\)|\binsert into replan\b/.test(source);

/** The pair must not be torn apart: `reminders/outbox` gives the stamp and the outbox row together. */
test('stamps are raised and outbox rows are written in one file only', () => {
  const writing = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return writesStamp(source) || insertsJob(source);
  });
  // The schema names the columns.
  expect(writing.filter((file) => !file.endsWith('schema.ts'))).toEqual(['reminders/outbox.ts']);
});

/** A check that cannot fail is none. */
test.each([
  'db.update(users).set({ planStamp: sql`plan_stamp + 1` })',
  'const bumpPlan = { planStamp: 1 };',
  'sql`update user set time_zone = null, plan_stamp = plan_stamp + 1`',
])('%s is found', (source) => expect(writesStamp(source)).toBe(true));

test.each([
  'db.select({ stamp: users.planStamp })',
  "sql`join user u on u.plan_stamp = p.value ->> 'userStamp'`",
])('%s is a read', (source) => expect(writesStamp(source)).toBe(false));
