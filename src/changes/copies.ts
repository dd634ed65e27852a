import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { recordExport } from '../log/recorded-downloads.ts';

/** The part of a study that a page with bodies begins: the changes from `after` to `latest`. */
export interface Copied {
  after: number;
  latest: number;
}

/** As many changes as a page may have: a reader who keeps a copy in step is closer behind. */
const longestPage = 1_000;

/** Time after its entry in which a copy goes on without another one. */
const sameCopyMs = 24 * 3600 * 1000;

/** Newest entries of a person that are searched for the beginning of a copy. */
const maxEntries = 100;

/**
 * Logs a copy with bodies that begins, as a download: a reader who is further behind than a page, or has less than half of
 * the study. Later pages of the copy are no entries: the person's own entry of the last day covers where they begin.
 */
export async function recordCopy(context: Context, investigation: string, { after, latest }: Copied) {
  const behind = latest - after;
  if (behind <= Math.min(longestPage, latest / 2)) return;
  if (after > 0 && (await isCovered(context, investigation, after))) return;
  await recordExport(context, investigation, {
    data: 'changes',
    format: 'json',
    filter: after > 0 ? { after } : {},
    count: () => behind,
  });
}

async function isCovered({ db, actor, now }: Context, investigation: string, after: number) {
  const [found] = await query<{ covered: number }>(
    db,
    `select exists (select 1 from (
        select action, at, details from activity where actor_id = :actor and investigation_id = :investigation
        order by position desc limit ${maxEntries})
      where action = 'data.exported' and at > :since and details ->> '$.data' = 'changes'
        and :after between coalesce(details ->> '$.filter.after', 0)
          and coalesce(details ->> '$.filter.after', 0) + (details ->> '$.count')) as covered`,
    { actor, investigation, after, since: now - sameCopyMs },
  );
  return found?.covered === 1;
}
