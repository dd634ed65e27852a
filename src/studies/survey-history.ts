import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { itemChangesAfter } from '../log/survey-changes.ts';
import { studyOf } from '../permissions/visibility.ts';
import type { SurveyItem } from './survey-schema.ts';
import { selectSurvey } from './surveys.ts';

/** The items of a survey at an earlier time. */
export interface EarlierItems {
  /** Null: they were too long for the log. */
  items: SurveyItem[] | null;
  /** When they changed next (epoch ms); null: they are those of now. */
  changedAt: number | null;
}

/** Reads the items as they were at an instant, as the log tells. One round trip. @throws resource.not-found */
export async function readItemsAt({ db, actor }: Context, id: string, at: number) {
  const [[survey], [change]] = await db.batch([
    selectSurvey(db, actor, id),
    db
      .select({
        items: sql<unknown>`next.items`.mapWith(JSON.parse).as('earlier_items'),
        changedAt: sql<number>`next.changed_at`.as('changed_at'),
      })
      .from(
        sql`(select details -> '$.before.items' as items, activity.at as changed_at
          ${itemChangesAfter(id, studyOf(id), at)} order by position limit 1) next`,
      ),
  ]);
  if (!survey) throw notFound('survey');
  const earlier: EarlierItems = change
    ? { items: isItems(change.items) ? change.items : null, changedAt: change.changedAt }
    : { items: survey.items, changedAt: null };
  return { survey, ...earlier };
}

/** Longer ones are in the log by their length and digest. */
const isItems = (value: unknown): value is SurveyItem[] => Array.isArray(value);
