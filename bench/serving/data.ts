import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLibsql } from '../../src/platform/server/libsql.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import type { Runtime } from '../../test/conformance/support/runtimes.ts';
import { openLocalD1 } from '../support/local-d1.ts';
import { studyRows } from '../support/study-rows.ts';
import { connections, itemsPerLock, responses } from './operations.ts';
import { readWorkerSettings } from './worker-settings.ts';

const members = 25;

/** Study 0 is read; each connection has one more, whose items it locks. All by SQL, into a folder of state. */
export async function loadData(runtime: Runtime, folder: string, issuer: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const now = Date.now();
  const sizes = [responses, ...Array<number>(connections).fill(itemsPerLock)];
  const statements = sizes.flatMap((size, study) =>
    studyRows({ issuer, study, members, responses: size, now }),
  );
  await (runtime === 'workerd' ? loadD1(folder, statements) : loadFile(folder, statements));
}

async function loadFile(folder: string, statements: string[]) {
  const { client, close } = await openLibsql(join(folder, 'fieldbell.db'));
  try {
    await migrate(client);
    await client.batch(statements.map((sql) => ({ sql })));
  } finally {
    close();
  }
}

async function loadD1(folder: string, statements: string[]) {
  const { databaseId } = await readWorkerSettings();
  const { database, dispose } = await openLocalD1({ id: databaseId, folder: join(folder, 'state') });
  try {
    await database.batch(statements.map((statement) => database.prepare(statement)));
  } finally {
    await dispose();
  }
}
