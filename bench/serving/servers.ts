import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  databaseFile,
  denoPermissions,
  type Runtime,
  type Service,
  startFieldbell,
  startServer,
} from '../support/fieldbell.ts';
import { inFolder } from '../support/folders.ts';
import { bin } from '../support/processes.ts';
import { createData } from './data.ts';

/** Fieldbell and the floor, each over its own copy of the same data. */
export interface Pair {
  fieldbell: Service;
  floor: Service;
}

/** Starts both on one runtime, and stops them after `work`. */
export function withPair<T>(runtime: Runtime, work: (pair: Pair) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const template = join(folder, 'template');
    await createData(runtime, template);
    const [fieldbell, floor] = await Promise.all(
      [startFieldbell, startFloor].map(async (start, n) => {
        const own = join(folder, String(n));
        await cp(template, own, { recursive: true });
        return start(runtime, { folder: own });
      }),
    );
    return work({ fieldbell, floor } as Pair);
  });
}

function startFloor(runtime: Runtime, { folder }: { folder: string }) {
  const env = { FIELDBELL_DB: databaseFile(folder) };
  if (runtime === 'workerd')
    return startServer(bin('node'), ['bench/serving/floor/workerd-main.ts', folder], { folder });
  const main = `bench/serving/floor/${runtime}.ts`;
  const args = runtime === 'deno' ? ['run', ...denoPermissions, main] : [main];
  return startServer(bin(runtime), args, { folder, env });
}
