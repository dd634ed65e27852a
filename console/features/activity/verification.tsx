import { useEffect, useRef, useState } from 'preact/hooks';
import { api, read } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Progress } from '../../components/states.tsx';
import type { RequestOptions } from '../../list-pages.ts';
import { strings } from './activity-strings.ts';

const route = api.investigation[':id'].activity.verify;

interface State {
  entries: number;
  brokenAt?: number;
  /** The number of entries, shown while somebody waits for all of them. */
  total?: number;
  /** The cursor at which the check continues. */
  next?: string | undefined;
  running: boolean;
  error?: unknown;
}

const begun: State = { entries: 0, running: true };

/** Whether every entry is unaltered. The first ten thousand are checked at once, the rest on demand. */
export function Verification({ study, changes }: { study: string; changes: number }) {
  const [state, setState] = useState<State>(begun);
  const stop = useRef(new AbortController());

  async function walk(from: string | undefined, toTheEnd: boolean) {
    stop.current.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    setState((now) => ({ ...now, running: true, error: undefined }));
    try {
      const total = toTheEnd ? await countEntries(study, { init: { signal } }) : 0;
      let cursor = from;
      do {
        const query = cursor === undefined ? {} : { cursor };
        const answer = await read(route.$get({ param: { id: study }, query }, { init: { signal } }));
        cursor = answer.valid ? answer.next : undefined;
        const { entries } = answer;
        setState({
          entries,
          total,
          running: toTheEnd && cursor !== undefined,
          next: cursor,
          ...(!answer.valid && { brokenAt: answer.brokenAt }),
        });
      } while (toTheEnd && cursor !== undefined);
    } catch (error) {
      if (!signal.aborted) setState((now) => ({ ...now, running: false, error }));
    }
  }

  useEffect(() => {
    void walk(undefined, false);
    return () => stop.current.abort();
  }, [study, changes]);

  const { entries, total = 0, brokenAt, next, running, error } = state;
  if (error) return <ProblemNote error={error} onRetry={() => void walk(next, false)} />;
  if (brokenAt !== undefined)
    return (
      <div class="note danger" role="alert">
        <Icon name="warning" />
        <p>{strings.broken(brokenAt)}</p>
      </div>
    );
  if (running && entries === 0) return <Progress label={strings.verifying} />;
  if (running && total > entries)
    return <Progress label={strings.verifyingOf(entries, total)} done={entries} total={total} />;
  return (
    <div class="note good" role="status">
      <Icon name="shield" />
      <p>{next === undefined ? strings.verified(entries) : strings.verifiedSome(entries)}</p>
      {next !== undefined && (
        <Button busy={running} onClick={() => void walk(next, true)}>
          {strings.verifyRest}
        </Button>
      )}
    </div>
  );
}

/** The position of the newest entry is the number of entries. */
async function countEntries(study: string, options: RequestOptions): Promise<number> {
  const { activities } = await read(
    api.investigation[':id'].activity.$get({ param: { id: study }, query: { limit: '1' } }, options),
  );
  return activities[0]?.position ?? 0;
}
