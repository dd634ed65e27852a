import { useEffect, useRef } from 'preact/hooks';
import { mutate } from './answers.ts';
import { type AnswerOf, api } from './api.ts';
import { useStudy } from './study-context.ts';

const route = api.investigation[':id'].activity;
export type Entry = AnswerOf<typeof route.$get>['activities'][number];

const everyMs = 5_000;

/**
 * Polls the study's log while the page is visible, and calls back with new entries. Responders may not read the log: they
 * get the callback, without entries, when the page is visible again. `onBegin` is called once the end of the log is
 * known: earlier changes are never reported.
 */
export function useStudyChanges(onNew: (entries: readonly Entry[]) => void, onBegin?: () => void): void {
  const { identifier, role } = useStudy().study;
  const latest = useRef({ onNew, onBegin });
  latest.current = { onNew, onBegin };
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
        if (fresh.some(({ action }) => /^study\./.test(action))) mutate(['study', identifier]);
        if (fresh.length > 0) latest.current.onNew(fresh);
        if (seen === undefined) latest.current.onBegin?.();
      }
    }
    /** The next poll sees what a failed one missed. */
    const lookOn = () =>
      void look()
        .catch(() => {})
        .then(() => {
          if (!signal.aborted) timer = setTimeout(lookOn, everyMs);
        });
    const onReturn = () => {
      if (document.visibilityState !== 'visible') return;
      if (role === 'responder') latest.current.onNew([]);
      else void look().catch(() => {});
    };
    lookOn();
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [identifier, role]);
}
