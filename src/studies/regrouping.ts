import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { queryEach } from '../db/json.ts';
import { query } from '../db/query.ts';
import { isFrozenWith } from '../permissions/frozen-groups.ts';
import { combinationOf, type OwnProperties } from '../permissions/groups.ts';
import { noteGroupedPeople } from '../permissions/noted-changes.ts';

/** In SQL: the properties that a former member had, which they have again when they come back. */
export const formerProperties = (investigation: string | SQL, person: string | SQL) =>
  sql<string | null>`(select f.properties from change f where f.identifier = ${person}
    and f.investigation_id = ${investigation} and f.kind = 'member' and f.state = 'removed')`;

/** Somebody whose properties in a study change. */
export interface Regrouped {
  investigation: string;
  user: string;
  before: OwnProperties | null;
  after: OwnProperties | null;
}

/** In SQL: the case moves along with its participant, `p`: it has no other values than they. */
const movesAlong = sql`study_case.creator_id = p.value ->> 'user' and study_case.investigation_id = p.value ->> 'investigation'
  and ${combinationOf(sql`study_case.properties`)} is ${combinationOf(sql`p.value ->> 'before'`)}`;

/** Earlier answers about the case differ from the present one, as after a lock. */
const moveEach = queryEach(
  (rows) => sql`update study_case indexed by case_by_creator
    set properties = p.value ->> 'after', state_revision = study_case.revision_id from ${rows} p where ${movesAlong}`,
);

/**
 * Statements: the cases of participants move along with them, but for those that have other values. They read no
 * case of anybody else. Triggers refuse it in a frozen study.
 */
export const moveCases = (db: Database, people: readonly Regrouped[]) =>
  people.length === 0 ? [] : [moveEach(db, moving(people)), noteGroupedPeople(db, people)];

const frozenEach = queryEach<{ frozen: 1 }>(
  (
    rows,
  ) => sql`select 1 as frozen from investigation i cross join ${rows} p cross join study_case indexed by case_by_creator
    where i.id = :investigation and coalesce(i.frozen_at, i.frozen_groups) is not null and ${movesAlong}
      and (${isFrozenWith(sql`study_case.properties`)} or ${isFrozenWith(sql`(p.value ->> 'after')`)}) limit 1`,
);

/** Whether triggers would refuse {@link moveCases}. No round trip if nobody's cases move. */
export const isMoveRefused = async (db: Database, investigation: string, people: readonly Regrouped[]) =>
  people.length > 0 && (await frozenEach(db, moving(people), { investigation })).length > 0;

const moving = (people: readonly Regrouped[]) =>
  people.map(({ investigation, user, before, after }) => ({
    investigation,
    user,
    before: textOf(before),
    after: textOf(after),
  }));

/** Properties as they are stored; the log orders their changes, so that the text that was read is still there. */
const textOf = (properties: OwnProperties | null) => properties && JSON.stringify(properties);

const newest = '(select max(f.sequence) from change f where f.investigation_id = investigation.id)';

/**
 * Statements, behind those of the feed: copies of a part of a study begin again, if people have left it, or have come with cases or
 * responses.
 */
export const noteRegrouped = (db: Database, people: readonly Regrouped[]) =>
  people.length === 0
    ? []
    : [
        query(
          db,
          `update investigation set regrouped = ${newest} where id in (select p.value ->> 'investigation' from json_each(:people) p
            where p.value ->> 'wasGrouped' or exists (select 1 from study_case c
                where c.creator_id = p.value ->> 'user' and c.investigation_id = p.value ->> 'investigation')
              or exists (select 1 from response r
                where r.responder_id = p.value ->> 'user' and r.investigation_id = p.value ->> 'investigation'))`,
          {
            people: JSON.stringify(
              people.map(({ investigation, user, before }) => ({
                investigation,
                user,
                wasGrouped: before !== null,
              })),
            ),
          },
        ),
      ];

/** A statement, behind those of the feed: copies of a part of the study begin again, since somebody sees another part. */
export const noteScopeChanged = (db: Database, investigation: string) =>
  query(db, `update investigation set regrouped = ${newest} where id = :investigation`, { investigation });

/** Statements: the same, before somebody joins who may have copied another part of the studies as a member. */
export const noteScopeGiven = (db: Database, user: string, studies: readonly string[]) =>
  studies.length === 0
    ? []
    : [
        query(
          db,
          `update investigation set regrouped = ${newest} where id in (select f.investigation_id from change f
            where f.identifier = :user and f.kind = 'member' and f.state = 'removed'
              and f.investigation_id in (select value from json_each(:studies)))`,
          { user, studies: JSON.stringify(studies) },
        ),
      ];
