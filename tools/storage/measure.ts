import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';
import { columnBytes, sentTo, writeSent } from './notifications.ts';
import { setUp, start, surveys } from './people.ts';
import { additions } from './rows.ts';

type Client = Awaited<ReturnType<typeof openSqlite>>['client'];

const ignored = 'settled notification';
const answered = 'settled notification that was shown, opened and answered before the next';
type Kind = typeof ignored | typeof answered | keyof ReturnType<typeof additions>;

/** Bytes in a SQLite file, indexes included, of each kind of row, and of each column of a settled notification. */
export async function measureStorage({ people, days }: { people: number; days: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldbell-storage-'));
  const { client, db, close } = await openSqlite(join(folder, 'study.db'));
  try {
    await migrate(client);
    for (const statement of setUp(people)) await client.execute(statement);
    let before = await fileBytes(client);
    const bytesOf = async (write: () => Promise<unknown>) => {
      await write();
      const after = await fileBytes(client);
      const bytes = Math.round((after - before) / (people * days));
      before = after;
      return bytes;
    };
    const bytes: Partial<Record<Kind, number>> = {};
    bytes[ignored] = await bytesOf(() => writeNotifications({ client, db, days }, surveys.ignored));
    const columns = await columnBytes(client);
    bytes[answered] = await bytesOf(() => writeNotifications({ client, db, days }, surveys.answered));
    for (const [kind, sql] of Object.entries(additions(days)))
      bytes[kind as Kind] = await bytesOf(() => client.execute(sql));
    return { bytes: bytes as Record<Kind, number>, columns };
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
}

const d1Bytes = 10_000_000_000;

/** Bytes per year of a participant who gets a reminder a day, and of one who also answers it. */
export function yearsOf(bytes: Record<Kind, number>) {
  const year = (daily: number) => ({
    bytes: daily * 365,
    participantYears: Math.floor(d1Bytes / (daily * 365)),
  });
  return {
    reminders: year(bytes[ignored]),
    answers: year(bytes[answered] + bytes.response + bytes['each of its revisions']),
  };
}

/** Written day by day as the service writes them, so that all stored bytes count. */
async function writeNotifications(
  { client, db, days }: { client: Client; db: Database; days: number },
  survey: string,
) {
  const phones = await client.query(
    'select u.id as user, d.id as device from user u join device d on d.user_id = u.id',
  );
  for (let day = 0; day < days; day++) {
    const sent = phones.map(({ user, device }, n) =>
      sentTo({ user: String(user), device: String(device), survey, n }, day),
    );
    await writeSent({ db, client, now: start + days * 86_400_000 }, survey, sent);
  }
}

async function fileBytes(client: Client) {
  await client.execute('vacuum');
  const [row] = await client.query(
    'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  );
  return Number(row?.bytes);
}
