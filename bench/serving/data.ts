import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocalD1 } from '../../tools/database/local-d1.ts';
import { databaseFile, type Runtime } from '../support/fieldbell.ts';
import { createFile } from '../support/sqlite.ts';
import { studyRows } from '../support/study-rows.ts';
import { connections, itemsPerLock, responses } from './operations.ts';
import { readWorkerSettings } from './worker-settings.ts';

const members = 25;

/** Creates the state of a runtime in `folder`. Study 0 is read; each connection locks the items of one more. */
export async function createData(runtime: Runtime, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const now = Date.now();
  const sizes = [responses, ...Array<number>(connections).fill(itemsPerLock)];
  const statements = sizes.flatMap((size, study) => studyRows({ study, members, responses: size, now }));
  await (runtime === 'workerd' ? createD1(folder, statements) : createFile(databaseFile(folder), statements));
}

async function createD1(folder: string, statements: string[]) {
  const { databaseId } = await readWorkerSettings();
  const { database, dispose } = await openLocalD1({ id: databaseId, folder: join(folder, 'state') });
  try {
    await database.batch(statements.map((statement) => database.prepare(statement)));
  } finally {
    await dispose();
  }
}
