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

/** Responses that change with their case's properties, which they are shown with. Those of longer lists follow their case alone. */
const maxGrouped = 5_000;

const noteGrouped = (cases: string) => `insert into new_change
  select c.investigation_id, c.kind, c.identifier, c.state,
    (select at from activity where investigation_id = c.investigation_id order by position desc limit 1), c.revision_id
  from (select r.id from (${cases}) moved cross join response r on r.case_id = moved.id limit ${maxGrouped}) grouped
  cross join change c on c.identifier = grouped.id and c.kind = 'response' order by c.sequence`;

const ofCase = noteGrouped('select id from study_case where id = :case and revision_id = :revision');
const ofPeople =
  noteGrouped(`select c.id from json_each(:people) p cross join study_case c indexed by case_by_creator
  on c.creator_id = p.value ->> 'user' and c.investigation_id = p.value ->> 'investigation' and c.state_revision = c.revision_id`);

/** A statement: the properties of a case have changed with this revision, and so have its responses. */
export const noteGroupedCase = (db: Database, values: { case: string; revision: string }) =>
  query(db, ofCase, values);

/** A statement: the cases of these people have moved along with them, and so have their responses. */
export const noteGroupedPeople = (db: Database, people: readonly { investigation: string; user: string }[]) =>
  query(db, ofPeople, {
    people: JSON.stringify(people.map(({ investigation, user }) => ({ investigation, user }))),
  });
