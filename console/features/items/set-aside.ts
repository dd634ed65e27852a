import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';

export const setAsideRoute = api.investigation[':id']['set-aside'];

/** An answer that waits for owners and editors. */
export type SetAside = AnswerOf<typeof setAsideRoute.$get>['setAside'][number];

/** The number of answers that wait, the first hundred; for those who see all answers. */
export function useSetAsideCount(): { n: number; more: boolean } {
  const { id, can } = useStudy();
  const seesAll = can('readAll');
  const { data, reload } = useAnswer(
    ['set-aside-count', id, seesAll],
    seesAll && ((options) => setAsideRoute.$get({ param: { id }, query: { limit: '100' } }, options)),
  );
  useStudyChanges(reload);
  return { n: data?.setAside.length ?? 0, more: data?.next !== undefined };
}
