import { DatabaseSync } from 'node:sqlite';
// In a program of its own: from '@fieldbell/client'.
import { type Client, ProblemError } from '../client/client.ts';

/**
 * A copy of studies in a SQLite file: a row in `thing` for each study, case, response, survey and member, as its list shows
 * it. `select body ->> '$.label' from thing where kind = 'case'` reads the labels of cases.
 */
export function openCopy(file: string): DatabaseSync {
  const copy = new DatabaseSync(file);
  copy.exec(`pragma journal_mode = wal;
    create table if not exists thing (study text, kind text, identifier text, state text, body text,
      primary key (study, kind, identifier)) without rowid;
    create table if not exists place (study text primary key, next integer) without rowid`);
  return copy;
}

/**
 * Brings the copy of a study up to date, page by page. Pages that were read stay when it is interrupted: a page and the place
 * after it are one transaction. Returns the number of changes. A copy of a part of the study, of somebody with a scope, begins
 * again when the part has changed: nothing of its former part stays.
 * @throws ProblemError when the service refuses a request: `request.invalid` if the copy is of later data than the service
 * has, as after a restored backup. `forgetCopy`, and begin again. `action.forbidden` if the study has a blinded property: its
 * feed is for owners.
 */
export async function replicate(client: Client, study: string, copy: DatabaseSync): Promise<number> {
  try {
    return await readOn(client, study, copy);
  } catch (error) {
    if (!isOfAnotherPart(error)) throw error;
    forgetCopy(copy, study);
    return readOn(client, study, copy);
  }
}

/** Whether the service refuses to go on because somebody's group, or the reader's scope, has changed. */
const isOfAnotherPart = (error: unknown) =>
  error instanceof ProblemError &&
  error.code === 'request.invalid' &&
  [error.message, ...error.errors.map(({ detail }) => detail)].some((text) =>
    text.includes('The part of the study that you see'),
  );

async function readOn(client: Client, study: string, copy: DatabaseSync): Promise<number> {
  const put = copy.prepare(`insert into thing values (?, ?, ?, ?, ?)
    on conflict do update set state = excluded.state, body = excluded.body`);
  const remove = copy.prepare('delete from thing where study = ? and kind = ? and identifier = ?');
  const move = copy.prepare('insert into place values (?, ?) on conflict do update set next = excluded.next');
  let known = placeOf(copy, study);
  let count = 0;
  for await (const { changes, next } of client.changes(study, {
    after: known,
    include: 'body',
  })) {
    inTransaction(copy, () => {
      if (placeOf(copy, study) !== known) throw new Error('Another process keeps this copy.');
      for (const { kind, identifier, state, body } of changes) {
        if (body) put.run(study, kind, identifier, state, JSON.stringify(body));
        else remove.run(study, kind, identifier);
      }
      move.run(study, next);
    });
    known = next;
    count += changes.length;
  }
  return count;
}

/** The sequence of the last change in the copy; 0 for a new one. */
const placeOf = (copy: DatabaseSync, study: string) =>
  Number(copy.prepare('select next from place where study = ?').get(study)?.next ?? 0);

export function forgetCopy(copy: DatabaseSync, study: string): void {
  inTransaction(copy, () => {
    for (const table of ['thing', 'place']) copy.prepare(`delete from ${table} where study = ?`).run(study);
  });
}

/** Carries it out as a whole, or not at all. */
export function inTransaction(copy: DatabaseSync, work: () => void): void {
  copy.exec('begin immediate');
  try {
    work();
    copy.exec('commit');
  } catch (error) {
    copy.exec('rollback');
    throw error;
  }
}
