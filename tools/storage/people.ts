export const start = Date.UTC(2027, 0, 1);

const study = '0'.repeat(31);
/** Nobody reacts to one survey; everybody reacts to the other before the next reminder. */
export const surveys = { ignored: `${study}2`, answered: `${study}3` };
/** Each participant has a phone. */
export const setUp = (people: number) => [
  `insert into investigation (id, name, time_zone, starts_on, created_at, active_since, revision_id, created_hash, creator_id)
    values ('${study}1', 'Sleep', 'Europe/Paris', '2027-01-01', ${start}, ${start}, '', '', '')`,
  ...Object.values(surveys).map(
    (
      survey,
    ) => `insert into survey (id, investigation_id, name, items, reminders_since, created_at, revision_id, created_hash)
      values ('${survey}', '${study}1', 'Diary', '[]', ${start}, ${start}, '', '')`,
  ),
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${people - 1})
    insert into user (id, name, created_at) select printf('%04d', i) || substr(lower(hex(randomblob(16))), 1, 28), 'Somebody', 0 from n`,
  `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
    select lower(hex(randomblob(16))), id, 'android', id, id, 'Europe/Paris', 0, 0, 0 from user`,
];
