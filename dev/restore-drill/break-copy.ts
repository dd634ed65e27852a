import { stat, truncate } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
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

/** The newest reminder that was sent, and whose next one is planned. */
const newestSent = `select s.user_id, s.survey_id, s.revision, s.occurrence
  from scheduled_notification s join scheduled_notification p on p.user_id = s.user_id and p.survey_id = s.survey_id
    and p.revision = s.revision and p.settled_at is null
  where s.state = 'sent' and s.next_at is null order by s.due_at desc, s.user_id limit 1`;

const statements = {
  row: `update response set items = '{"changed":"by hand"}' where id = (select max(id) from response)`,
  log: `update activity set reason = 'changed by hand' where (investigation_id, position) = (
    select investigation_id, position from activity order by at desc limit 1)`,
  // As it was before it was sent: pending by the plan of its next one, which does not exist yet.
  sent: `create temp table sent as ${newestSent};
    update scheduled_notification set settled_at = null, state = null, deliveries = null, planned_from = (
        select p.planned_from from scheduled_notification p join sent using (user_id, survey_id, revision)
        where p.settled_at is null)
      where (user_id, survey_id, revision, occurrence) in (select * from sent);
    delete from scheduled_notification where settled_at is null
      and (user_id, survey_id, revision) in (select user_id, survey_id, revision from sent)
      and (user_id, survey_id, revision, occurrence) not in (select * from sent);`,
};
