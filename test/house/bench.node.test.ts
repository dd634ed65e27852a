import { join } from 'node:path';
import { test } from 'vitest';
import { inFolder } from '../../bench/support/folders.ts';
import { createFile } from '../../bench/support/sqlite.ts';
import { studyRows } from '../../bench/support/study-rows.ts';

test('the rows that the bench inserts fit the tables', () =>
  inFolder(async (folder) => {
    const now = Date.parse('2027-03-01T08:00:00.000Z');
    const reminders = { due: now, zone: 'Europe/Paris', history: { members: 1, days: 2 } };
    const rows = studyRows({ study: 0, members: 2, responses: 2, reminders, now });
    await createFile(join(folder, 'fieldbell.db'), rows);
  }));
