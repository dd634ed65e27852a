import { useEffect, useRef } from 'preact/hooks';
import { type AnswerOf, api, type Role } from './api.ts';

const route = api.investigation[':id'].activity;
export type Entry = AnswerOf<typeof route.$get>['activities'][number];

const everyMs = 5_000;

/**
 * Looks at the study's log while the page is in sight, and calls back with what is new. Responders, who may not read it,
 * see what is new when they come back to the page.
 */
export function useNewEntries(
  { identifier, role }: { identifier: string; role: Role },
  onNew: (entries: readonly Entry[]) => void,
): void {
  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let position: number | undefined;
    let timer: ReturnType<typeof setTimeout>;

    async function look() {
      if (document.visibilityState === 'visible' && role !== 'responder') {
        const seen = position;
        const query = { limit: seen === undefined ? '1' : '20' };
        const { activities } = await (
          await route.$get({ param: { id: identifier }, query }, { init: { signal } })
        ).json();
        position = activities[0]?.position ?? 0;
        const fresh = seen === undefined ? [] : activities.filter((entry) => entry.position > seen);
        if (fresh.length > 0) latest.current(fresh);
      }
    }
    /** One that fails is none: the next one sees what it missed. */
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () =>
          void look()
            .catch(() => {})
            .then(again),
        everyMs,
      );
    };
    const onReturn = () => {
      if (document.visibilityState !== 'visible') return;
      if (role === 'responder') latest.current([]);
      else void look().catch(() => {});
    };
    void look()
      .catch(() => {})
      .then(() => {
        if (!signal.aborted) again();
      });
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [identifier, role]);
}
