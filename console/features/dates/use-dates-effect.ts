import { useEffect, useState } from 'preact/hooks';
import { type AnswerOf, api, read } from '../../api.ts';
import type { CourseChange } from './courses.ts';

const route = api.investigation[':id'].members.dates;
type Effect = AnswerOf<typeof route.$post>;
/** The reminders of a survey for a person, before and after. */
export type Moved = NonNullable<Effect['page']>[number];

export interface DatesEffect {
  /** People with other dates, or another time. */
  changed: number;
  moved: readonly Moved[];
  /** The last person who was looked at, in the order of identifiers; absent at the end. */
  next?: string | undefined;
}

/** The reminders that a change of dates would move, slice by slice; the last one has no `next`. @throws ProblemError */
export async function* effectsOf(
  study: string,
  members: readonly CourseChange[],
  signal: AbortSignal,
): AsyncGenerator<DatesEffect> {
  const moved: Moved[] = [];
  let cursor: string | undefined;
  do {
    const json = { members: [...members], dryRun: true, cursor };
    const {
      changed,
      page = [],
      next,
    } = await read(route.$post({ param: { id: study }, json }, { init: { signal } }));
    moved.push(...page);
    cursor = next;
    yield { changed, moved: [...moved], next };
  } while (cursor !== undefined && !signal.aborted);
}

interface State {
  effect: DatesEffect | undefined;
  error: unknown;
}

/** The effect of a change, as far as it is known. */
export function useDatesEffect(
  study: string,
  members: readonly CourseChange[],
): State & { reload: () => void } {
  const [state, setState] = useState<State>({ effect: undefined, error: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const look = async () => {
      for await (const effect of effectsOf(study, members, stop.signal))
        if (!stop.signal.aborted) setState({ effect, error: undefined });
    };
    setState({ effect: undefined, error: undefined });
    look().catch((error) => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [study, members, attempt]);
  return { ...state, reload: () => setAttempt((n) => n + 1) };
}
