import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** Who writes memberships, plans by them, or looks after deleted studies. */
const allowed = [
  'db/schema/investigations.ts',
  'model/investigations.ts',
  'model/invitation-acceptance.ts',
  'model/members.ts',
  'model/pauses.ts',
  'model/reminders/daily-pushes.ts',
  'model/reminders/left.ts',
  'model/reminders/outbox.ts',
  'model/reminders/state.ts',
  'model/study-deletions.ts',
  'model/study-purge.ts',
  'model/user-revisions.ts',
  'model/users.ts',
];

test('what people see is read through the memberships of studies that are not deleted', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = sources.filter((file) =>
    /\ballMembers\b|\b(?:from|join|into|update) "?member\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.sort()).toEqual(allowed);
});
