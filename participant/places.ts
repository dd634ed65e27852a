import { useEffect, useState } from 'preact/hooks';

/* The screen that an address shows. All of them are `/p/`, which the service worker keeps. */

export type Place =
  | { view: 'today' | 'settings' | 'reminders' | 'sent' | 'join' | 'about' }
  | { view: 'survey'; survey: string; notification?: string }
  /** Answers that the study has. */
  | { view: 'answer'; survey: string; response: string };

const base = '/p/';
const views = ['settings', 'reminders', 'sent', 'join', 'about'] as const;

/** The code of a link. Read before the first screen, and removed from the address, which others may see. */
export function takeCode(): string {
  const code = decoded(location.hash.slice(1));
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Mail gateways break percent signs: those are left out, and what cannot be read is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, ''));
  } catch {
    return text;
  }
}

function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  const [survey, notification] = [query.get('survey'), query.get('notification')];
  const response = query.get('response');
  if (survey && response) return { view: 'answer', survey, response };
  if (survey) return { view: 'survey', survey, ...(notification && { notification }) };
  return { view: views.find((view) => query.get('view') === view) ?? 'today' };
}

export function addressOf(place: Place): string {
  if (place.view === 'today') return base;
  const { view, ...ids } = place;
  return `${base}?${new URLSearchParams('survey' in ids ? ids : { view })}`;
}

const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of watchers) watcher();
};

export function go(to: Place | string, { replaces = false } = {}): void {
  const address = typeof to === 'string' ? to : addressOf(to);
  try {
    history[replaces ? 'replaceState' : 'pushState'](null, '', address);
  } catch {
    // Safari allows a hundred within half a minute.
    location.assign(address);
    return;
  }
  scrollTo(0, 0);
  tell();
}

export function usePlace(): Place {
  const [search, setSearch] = useState(location.search);
  useEffect(() => {
    const show = () => setSearch(location.search);
    watchers.add(show);
    addEventListener('popstate', show);
    return () => {
      watchers.delete(show);
      removeEventListener('popstate', show);
    };
  }, []);
  return placeOf(search);
}
