import { sql } from 'drizzle-orm';
import { sha256 } from '../identifiers.ts';
import { isDeletedStudy } from '../permissions/visibility.ts';
import { users } from './schema.ts';

/** A user as they see themselves. */
interface Self {
  id: string;
  name: string;
  timeZone: string | null;
  customRemindersTime: string | null;
  quietFrom: string | null;
  quietTo: string | null;
  language: string | null;
  pausedUntil: number | null;
  deviceIds: string[];
  studyPauses: { investigation: string; until: number }[];
}

/** The studies that a user pauses at this moment, as one value. */
const pausesOf = ({ studyPauses }: Self) =>
  JSON.stringify(studyPauses.map(({ investigation, until }) => [investigation, until]));

/**
 * The revision of a user as they see themselves: a hash, since devices and pauses change without changing the user's row.
 */
export async function revisionOfUser(user: Self, now: number): Promise<string> {
  const { id, name, timeZone, customRemindersTime, deviceIds, pausedUntil } = user;
  const pause = pausedUntil !== null && pausedUntil > now ? pausedUntil : null;
  const quietHours = user.quietFrom === null ? [] : [user.quietFrom, user.quietTo];
  const shown = [id, name, timeZone, customRemindersTime, deviceIds, pause, pausesOf(user), ...quietHours];
  if (user.language !== null) shown.push(`language ${user.language}`);
  return (await sha256(JSON.stringify(shown))).slice(0, 32);
}

/** In SQL: the user is unchanged since the read at `now`. */
export const looksLike = (user: Self, now: number) =>
  sql`(${users.name} = ${user.name} and ${users.timeZone} is ${user.timeZone}
    and ${users.customRemindersTime} is ${user.customRemindersTime} and ${users.pausedUntil} is ${user.pausedUntil}
    and ${users.quietFrom} is ${user.quietFrom} and ${users.quietTo} is ${user.quietTo}
    and ${users.language} is ${user.language}
    and (select json_group_array(id) from (
      select id from device where user_id = ${user.id} order by created_at, id)) = ${JSON.stringify(user.deviceIds)}
    and (select json_group_array(json_array(investigation_id, paused_until)) from (
      select investigation_id, paused_until from member indexed by member_paused
      where user_id = ${user.id} and paused_until > ${now}
        and not ${isDeletedStudy(sql`member.investigation_id`)} order by investigation_id)) = ${pausesOf(user)})`;
