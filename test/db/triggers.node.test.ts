import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readMigrations } from '../../src/platform/server/migrations.ts';

const file = new URL('../../src/db/triggers.sql', import.meta.url);

/** Without white space, which means nothing here. */
const bare = (sql: string) => sql.replaceAll(/\s+/g, '').replace(/;$/, '');

test('the file of the present triggers has those that the migrations leave, and no others', async () => {
  const written = readFileSync(file, 'utf8')
    .replaceAll(/^--.*$/gm, '')
    .split(/^END;$/m)
    .filter((text) => text.trim() !== '')
    .map((text) => bare(`${text}END;`));
  const database = new DatabaseSync(':memory:');
  for (const { sql } of await readMigrations()) database.exec(sql);
  const rows = database.prepare("select sql from sqlite_master where type = 'trigger'").all();
  const present = rows.map(({ sql }) => bare(String(sql)));
  database.close();
  expect(present.length).toBeLessThanOrEqual(14);
  expect(written.sort()).toEqual(present.sort());
});
