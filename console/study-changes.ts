import { useEffect, useRef } from 'preact/hooks';
import { mutate } from './answers.ts';
import { type AnswerOf, api, isProblem, read } from './api.ts';
import { useStudy } from './study-context.ts';

const ofStudy = api.investigation[':id'];
export type Entry = AnswerOf<typeof ofStudy.activity.$get>['activities'][number];
type Feed = AnswerOf<typeof ofStudy.changes.$get>;
type Change = Feed['changes'][number];

const everyMs = 5_000;
/** Without the feed everything is read again, which is dearer. */
const withoutFeedMs = 60_000;
const pageSize = 100;

/** The changes of a study since the last look. */
export interface News {
  /** Whether a thing of the kind, or this one of them, has changed, as far as is known. */
  has(kind: Change['kind'], identifier?: string): boolean;
  /** The time of the earliest of them; empty if none is known. */
  since: string;
}

/** For those who may not read the feed, and those whose part of it begins anew. */
const anyNews: News = { has: () => true, since: '' };

/**
 * Polls the study's feed of changes while the page is visible, and calls back when something changed. Responders may not
 * read the feed: they get the callback when the page is visible again. In a study with a blinded property the feed is for
 * owners alone: other staff get the callback each minute, too. `onBegin` is called once the end of the feed is known:
 * earlier changes are never reported.
 */
export function useStudyChanges(onNew: (news: News) => void, onBegin?: () => void): void {
  const { id, can } = useStudy();
  const mayRead = can('readAll');
  const latest = useRef({ onNew, onBegin });
  latest.current = { onNew, onBegin };
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let seen: number | undefined;
    let isRefused = false;
    let timer: ReturnType<typeof setTimeout>;

    async function poll() {
      if (document.visibilityState !== 'visible' || !mayRead) return;
      if (isRefused) return latest.current.onNew(anyNews);
      const query = { after: String(seen ?? 0), limit: String(seen === undefined ? 1 : pageSize) };
      const feed = await read(ofStudy.changes.$get({ param: { id }, query }, { init: { signal } }));
      const isFirst = seen === undefined;
      seen = feed.latest;
      if (isFirst) latest.current.onBegin?.();
      else if (feed.changes.length > 0) {
        const news = newsOf(feed);
        if (news.has('study')) mutate(['study', id]);
        latest.current.onNew(news);
      }
    }
    /** The next poll sees what a failed one missed. */
    const pollAgain = () =>
      void poll()
        .catch((error: unknown) => {
          if (signal.aborted) return;
          if (isProblem(error, 'action.forbidden')) {
            isRefused = true;
            if (seen === undefined) latest.current.onBegin?.();
          } else if (isProblem(error, 'request.invalid') && seen !== undefined) {
            // Somebody's group has changed: the viewer's part of the feed is another one.
            seen = undefined;
            latest.current.onNew(anyNews);
          }
        })
        .then(() => {
          if (!signal.aborted) timer = setTimeout(pollAgain, isRefused ? withoutFeedMs : everyMs);
        });
    const onReturn = () => {
      if (document.visibilityState !== 'visible') return;
      if (!mayRead) latest.current.onNew(anyNews);
      else void poll().catch(() => {});
    };
    pollAgain();
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [id, mayRead]);
}

/** Of more than a page everything may be concerned. */
const newsOf = ({ changes, next, latest }: Feed): News => ({
  has: (kind, identifier) =>
    next < latest ||
    changes.some((change) => change.kind === kind && (identifier ?? change.identifier) === change.identifier),
  since: changes.map(({ at }) => at).sort()[0] ?? '',
});

/** The latest entries of the study's log, newest first: they say who made a change. */
export async function latestEntries(study: string): Promise<Entry[]> {
  const { activities } = await read(ofStudy.activity.$get({ param: { id: study }, query: { limit: '20' } }));
  return activities;
}
