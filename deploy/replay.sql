-- Plans again what the queue gave up on: the next sweeps take the users from the outbox.
-- npx wrangler d1 execute fieldbell --remote --file deploy/replay.sql
insert into replan (id, user_id, touched_at)
  select '0' || lower(substr(hex(randomblob(16)), 2)), value, 0 from dead_letter, json_each(dead_letter.users);
delete from dead_letter;
