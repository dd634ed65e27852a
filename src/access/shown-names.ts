import { sql } from 'drizzle-orm';
import { changes } from '../changes/schema.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../db/json.ts';

/** Things of one kind that change with their person's name. Later ones of people who have more follow the member alone. */
const maxNamed = 5_000;

/**
 * A statement: the name of a user, or their code in some studies, has changed. Both are shown with their memberships, cases
 * and responses, which so have changed as well.
 * @param studies those of the code; all studies if omitted
 */
export const noteShownName = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: string,
  studies?: readonly string[],
) => {
  const inStudies = (row: string) =>
    studies === undefined ? sql`1` : oneOf(sql.raw(`${row}.investigation_id`), studies);
  const bound = sql.raw(String(maxNamed));
  return db
    .insert(changes)
    .select(
      sql`select c.investigation_id, (select max(sequence) from change l where l.investigation_id = c.investigation_id)
        + row_number() over (partition by c.investigation_id order by c.sequence), c.kind, c.identifier, c.state, ${now}, c.revision_id
        from (
          select 'member' as kind, ${user} as identifier
          union all select * from (select 'case', i.id from study_case i where i.creator_id = ${user} and ${inStudies('i')} limit ${bound})
          union all select * from (select 'response', r.id from response r where r.responder_id = ${user} and ${inStudies('r')} limit ${bound})
        ) named cross join change c on c.identifier = named.identifier and c.kind = named.kind where ${inStudies('c')}`,
    )
    .onConflictDoUpdate({
      target: [changes.identifier, changes.investigationId, changes.kind],
      set: { sequence: sql`excluded.sequence`, at: sql`excluded.at` },
    });
};
