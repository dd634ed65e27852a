import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, api } from '../../api.ts';
import type { PropertyRule } from '../../groups.ts';
import type { GivenReminders } from './reminder-draft.ts';

const route = api.survey[':id'].reminders.change;
export type ChangeEffect = Omit<AnswerOf<typeof route.$post>, 'next'>;

/** People whose occurrences are shown before and after. */
const shown = 3;

interface Counting {
  /** So far. */
  effect: ChangeEffect | undefined;
  isDone: boolean;
  error: unknown;
}

/** Others than those of now: the reminders of a survey, or the people who take it. */
export interface SurveyChange {
  reminders?: GivenReminders | null;
  for?: PropertyRule | null;
}

/** The effect of a change of a survey on its reminders, slice by slice, until everybody is counted. */
export function useChangeEffect(
  survey: string,
  change: SurveyChange,
  again: boolean,
): Counting & { reload: () => void } {
  const [state, setState] = useState<Counting>({ effect: undefined, isDone: false, error: undefined });
  const [attempt, setAttempt] = useState(0);
  const wording = JSON.stringify(change);
  useEffect(() => {
    const stop = new AbortController();
    const count = async () => {
      let effect: ChangeEffect | undefined;
      let cursor: string | undefined;
      do {
        const limit = shown - (effect?.page.length ?? 0);
        const changed = JSON.parse(wording) as { reminders: GivenReminders | null };
        const json = { ...changed, again, limit, cursor };
        const { next, ...slice } = await (
          await route.$post({ param: { id: survey }, json }, { init: { signal: stop.signal } })
        ).json();
        effect = effect ? sum(effect, slice) : slice;
        cursor = next;
        if (!stop.signal.aborted) setState({ effect, isDone: cursor === undefined, error: undefined });
      } while (cursor !== undefined && !stop.signal.aborted);
    };
    setState((before) => ({ ...before, isDone: false, error: undefined }));
    count().catch((error) => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [survey, wording, again, attempt]);
  return { ...state, reload: () => setAttempt((n) => n + 1) };
}

const sum = (a: ChangeEffect, b: ChangeEffect): ChangeEffect => ({
  people: a.people + b.people,
  unchanged: a.unchanged + b.unchanged,
  moved: a.moved + b.moved,
  added: a.added + b.added,
  removed: a.removed + b.removed,
  againToday: a.againToday + b.againToday,
  page: [...a.page, ...b.page],
});
