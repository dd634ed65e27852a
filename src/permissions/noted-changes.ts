import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';

/** A statement: a thing of a study has changed, at the time of the study's newest entry of its log if at no other. */
export const noteChange = (
  db: Database,
  change: {
    investigation: string;
    kind: 'study' | 'member';
    identifier: string;
    at?: number;
    revision?: string;
  },
) =>
  query(db, "insert into new_change values (:investigation, :kind, :identifier, 'active', :at, :revision)", {
    at: null,
    revision: null,
    ...change,
  });

/** A statement: members of a study have changed, at the time of the newest entry of its log, which is read once for all: it may be long. */
export const noteMembers = (db: Database, investigation: string, users: readonly string[]) =>
  query(
    db,
    `insert into new_change select :investigation, 'member', value, 'active',
      (select at from activity where investigation_id = :investigation order by position desc limit 1), null
      from json_each(:users)`,
    { investigation, users: JSON.stringify(users) },
  );

/** Things of one kind that change with their person's name. Later ones of people who have more follow the member alone. */
const maxNamed = 5_000;

const textOf = (inStudies: string) => `insert into new_change
  select c.investigation_id, c.kind, c.identifier, c.state, :now, c.revision_id from (
    select 'member' as kind, :user as identifier
    union all select * from (select 'case', id from study_case where creator_id = :user ${inStudies} limit ${maxNamed})
    union all select * from (select 'response', id from response where responder_id = :user ${inStudies} limit ${maxNamed})
  ) named cross join change c on c.identifier = named.identifier and c.kind = named.kind ${inStudies}
  order by c.sequence`;

const ofAllStudies = textOf('');
const ofStudies = textOf('and investigation_id in (select value from json_each(:studies))');

/**
 * A statement: the name of a user, or their code in some studies, has changed. Both are shown with their memberships, cases
 * and responses, which so have changed as well.
 * @param studies those of the code; all studies if omitted
 */
export const noteShownName = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: string,
  studies?: readonly string[],
) =>
  studies === undefined
    ? query(db, ofAllStudies, { user, now })
    : query(db, ofStudies, { user, now, studies: JSON.stringify(studies) });
