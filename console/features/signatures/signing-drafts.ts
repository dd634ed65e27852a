/* An unsigned change, kept while the person signs in again. In the session storage of the tab, and read once. */

const key = 'fieldbell.draft';

interface Draft<T> {
  name: string;
  place: string;
  content: T;
}

const here = () => location.pathname + location.search;

export function keepDraft<T>(name: string, content: T): void {
  sessionStorage.setItem(key, JSON.stringify({ name, place: here(), content } satisfies Draft<T>));
}

/** The draft with this name at this address, if there is one. */
export function takeDraft<T>(name: string): T | undefined {
  const stored = sessionStorage.getItem(key);
  if (stored === null) return;
  const draft = JSON.parse(stored) as Draft<T>;
  if (draft.name !== name || draft.place !== here()) return;
  sessionStorage.removeItem(key);
  return draft.content;
}
