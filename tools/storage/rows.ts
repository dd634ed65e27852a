import { notificationAdditions } from './notifications.ts';
import { start } from './people.ts';

/** Identifiers like those of the service: in the order of time, the rest random. */
const identifier = (at: string) =>
  `printf('%012x', ${at}) || '7' || substr(lower(hex(randomblob(16))), 1, 19)`;
const at = `${start} + d.i * 86400000 + p.n * 1000`;
const from = `(select id, cast(substr(id, 1, 4) as integer) as n from user) p, days d`;

/** Ten answers of a few words. */
const answers = `(select json_group_object('q' || value, 'about five words of text') from json_each('[1,2,3,4,5,6,7,8,9,10]'))`;

const study = '0'.repeat(31);
/** Statements that each add one value to every notification or response, by the name of the value. */
export const additions = (days: number) => ({
  ...notificationAdditions,
  response: `with recursive days(i) as (select 0 union all select i + 1 from days where i < ${days - 1})
    insert into response
    (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
    select ${identifier(at)}, '${study}1', '${study}2', p.id, p.id, ${answers}, '{}', ${at}, ${at}, ${identifier(at)} from ${from}`,
  'each of its revisions': `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
    select id, 1, revision_id, responder_id, created_at, items, reasons from response`,
  'an entry of the activity log, of a lock': `insert into activity
    (investigation_id, position, id, at, actor_id, action, cases, responses, hash)
    select '${study}1', row_number() over (order by id), ${identifier('created_at')}, created_at, responder_id, 'items.locked',
      '[]', json_array(id), lower(hex(randomblob(32))) from response`,
});
