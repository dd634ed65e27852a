import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openLibsql } from '../../../src/platform/server/libsql.ts';
import { migrate } from '../../../src/platform/server/migrations.ts';
import { denoPermissions } from '../../../test/conformance/support/runtimes.ts';
import { settings } from '../../../test/conformance/support/settings.ts';
import { localTime, newStudy } from '../people.ts';
import { bin, start } from '../processes.ts';
import type { Contender, Place, System } from '../system.ts';
import { openBooks } from './books.ts';
import { seed } from './seed.ts';

const clock = './bench/delivery/fieldbell/clock.ts';
const commands = {
  node: ['--import', clock, 'src/node.ts'],
  deno: ['run', '--preload', clock, ...denoPermissions, 'src/deno.ts'],
};

const dayMs = 24 * 3600_000;
/** The service starts so long before everybody is due. */
const leadMs = 4_000;
/** Not at a full hour, when the service also looks through all its plans. */
const dueAt = (Math.floor(Date.now() / dayMs) + 2) * dayMs + (11 * 60 + 7) * 60_000;

/** Fieldbell in a process of its own, over a libSQL file. */
export function local(runtime: 'node' | 'deno'): System {
  return {
    name: runtime,
    what: `Fieldbell on ${runtime === 'node' ? 'Node' : 'Deno'}, libSQL file`,
    missing: () => (existsSync(bin(runtime)) ? null : `${runtime} is not installed`),
    open: (place) => open(runtime, place),
  };
}

async function open(runtime: 'node' | 'deno', { folder, people, snsUrl }: Place): Promise<Contender> {
  const file = join(folder, 'fieldbell.db');
  await newDatabase(file);
  const study = newStudy();
  const { on: today, hour, minute } = localTime(dueAt);
  seed(file, { people, study, today, pending: { recurrence: `${minute} ${hour} * * *`, dueAt } });

  const service = start(bin(runtime), commands[runtime], {
    log: join(folder, 'service.log'),
    env: { ...settings(snsUrl), FIELDBELL_DB: file, PORT: '0', CLOCK_AT: String(dueAt - leadMs) },
  });
  await service.line(/"event":"start"/);
  const [, ahead] = await service.line(/"event":"clock","ahead":(\d+)/);
  const due = dueAt - Number(ahead);
  const books = openBooks(file, { study, today, due: dueAt });
  return {
    due,
    pids: [service.pid],
    ended: service.ended,
    // A batch settles and plans at once, and is seen here only when it is committed.
    settledAt: async () => (books.waits() ? null : Date.now()),
    books: async () => books.books(),
    async close() {
      books.close();
      await service.stop();
    },
  };
}

async function newDatabase(file: string) {
  const { client, close } = await openLibsql(file);
  await migrate(client);
  close();
}
