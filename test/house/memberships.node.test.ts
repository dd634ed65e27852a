import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** Files that write memberships, count them, plan by them, or look after deleted studies. */
const allowed = [
  'compliance/attention.ts',
  'enrolment/elsewhere.ts',
  'enrolment/enrol.ts',
  'enrolment/programs.ts',
  'items/answered-dates.ts',
  'items/obstacles.ts',
  'items/own-label.ts',
  'people/export-kinds.ts',
  'people/pauses.ts',
  'people/users.ts',
  'permissions/groups.ts',
  'permissions/growth.ts',
  'permissions/limits.ts',
  'permissions/shares.ts',
  'reminders/dates-change.ts',
  'reminders/reading.ts',
  'reminders/reminder-change.ts',
  'reminders/state-rows.ts',
  'reminders/verify.ts',
  'reminders/wake.ts',
  'reminders/walk.ts',
  'studies/course-patches.ts',
  'studies/deletions.ts',
  'studies/investigations.ts',
  'studies/invitation-acceptance.ts',
  'studies/member-change.ts',
  'studies/member-list.ts',
  'studies/member-rows.ts',
  'studies/members.ts',
  'studies/properties.ts',
  'studies/purge.ts',
  'studies/schema.ts',
];

test('everything that people see is read through the memberships of studies that are not deleted', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = sources.filter((file) =>
    /\ballMembers\b|\b(?:from|join|into|update) "?member\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.sort()).toEqual(allowed);
});
