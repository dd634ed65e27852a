/** In SQL: the signature of an item's lock, for readers of the activity log. Needs `asMember`. */
export const lockSignature = (table: 'study_case' | 'response') =>
  `case when current_member.role <> 'responder' then (select a.signature from activity a
    where a.investigation_id = ${table}.investigation_id and a.position = ${table}.locked_in) end`;
