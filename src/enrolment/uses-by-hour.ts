import { type SQL, sql } from 'drizzle-orm';
import type { UsesByHour } from './schema.ts';

const hourMs = 3600 * 1000;
const hoursKept = 48;

/** Hours since the Unix epoch. */
export const hourOf = (now: number): number => Math.floor(now / hourMs);

/** In SQL: the `uses_by_hour` of an `enrolment` row with one more use in this hour, and without hours long ago. */
export const oneMoreIn = (hour: number): SQL =>
  sql`(select json_group_object(hour, n) from (
    select key as hour, value as n from json_each(uses_by_hour)
      where cast(key as integer) > ${hour - hoursKept} and key <> ${`${hour}`}
    union all select ${`${hour}`}, 1 + coalesce(uses_by_hour ->> ${`$."${hour}"`}, 0)))`;

/** The last 48 hours with uses, in their order, each by its beginning (epoch ms). */
export const recentUses = (uses: UsesByHour, now: number): { at: number; uses: number }[] =>
  Object.entries(uses)
    .map(([hour, n]) => ({ at: Number(hour) * hourMs, uses: n }))
    .filter(({ at }) => at > now - hoursKept * hourMs)
    .toSorted((a, b) => a.at - b.at);
