import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDataModel } from './data-model.ts';

/** Tables whose key is not `id`. WITHOUT ROWID, which drizzle-kit cannot express, saves a row written per insert. */
const withoutRowid = new Set([
  'access_day',
  'activity',
  'activity_item',
  'change',
  'deleted_study',
  'invitation',
  'job_run',
  'member',
  'member_code',
  'metric',
  'notification',
  'participant_compliance',
  'relay_message',
  'response_revision',
  'scheduled_notification',
  'survey_compliance',
  'wake',
  'zone_change',
]);

/* `npm run migration -- <name>`; arguments that begin with a dash go to drizzle-kit as they are. */
const [first = '', ...rest] = process.argv.slice(2);
const options =
  first === '' || first.startsWith('-') ? [first, ...rest].filter(Boolean) : ['--name', first, ...rest];

const folder = 'migrations';
const before = new Set(readdirSync(folder));
execFileSync('drizzle-kit', ['generate', ...options], { stdio: 'inherit' });

for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql') && !before.has(name))) {
  const path = join(folder, file);
  const sql = readFileSync(path, 'utf8').replace(
    /CREATE TABLE `(\w+)` \([^;]*?\n\)(?=;)/g,
    (statement, table) => (withoutRowid.has(table) ? `${statement} WITHOUT ROWID` : statement),
  );
  writeFileSync(path, sql);
}
await writeDataModel();
