import { stat, truncate } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { unsend } from './notifications.ts';
import type { Broken } from './result.ts';

/** Breaks the copy on purpose, as a fault of a disk or a hand might. @throws if it has nothing to break so */
export async function breakCopy(path: string, broken: Broken): Promise<void> {
  if (broken === 'cut') return truncate(path, Math.floor((await stat(path)).size / 2));
  const copy = new DatabaseSync(path);
  const changes = () => Number(copy.prepare('select total_changes() as n').get()?.n);
  try {
    const before = changes();
    copy.exec(statements[broken]);
    if (changes() === before)
      throw new Error(`The database has nothing that could be broken as \`${broken}\`.`);
  } finally {
    copy.close();
  }
}

const statements = {
  row: `update response set items = '{"changed":"by hand"}' where id = (select max(id) from response)`,
  log: `update activity set reason = 'changed by hand' where (investigation_id, position) = (
    select investigation_id, position from activity order by at desc limit 1)`,
  sent: unsend,
};
