import { useEffect, useState } from 'preact/hooks';
import type { Revised, Survey } from '../../api.ts';
import type { Draft } from './reminder-draft.ts';

/* Unsaved changes survive a reload, the way back, and a new sign-in: in the session storage of the tab. */

/** With the version of the draft's fields: a console that has been updated meanwhile has others. */
const keyOf = (survey: string) => `fieldbell.reminders.2.${survey}`;

interface Stored {
  etag: string;
  draft: Draft;
}

/** The draft of a survey's reminders; a kept one if the survey is still as it was. */
export function useStoredDraft(base: Revised<Survey>, draftFor: (base: Revised<Survey>) => Draft) {
  const id = base.value.identifier;
  const [state, setState] = useState(() => {
    const stored = read(id);
    return stored?.etag === base.etag
      ? { draft: stored.draft, wasStored: true }
      : { draft: draftFor(base), wasStored: false };
  });
  const [isChanged, setIsChanged] = useState(false);
  useEffect(() => {
    if (!isChanged) return;
    const stored: Stored = { etag: base.etag, draft: state.draft };
    sessionStorage.setItem(keyOf(id), JSON.stringify(stored));
  }, [id, base.etag, state.draft, isChanged]);
  return {
    ...state,
    setDraft: (draft: Draft) => {
      setIsChanged(true);
      setState((now) => ({ ...now, draft }));
    },
    discard: () => {
      forgetDraft(id);
      setIsChanged(false);
      setState({ draft: draftFor(base), wasStored: false });
    },
  };
}

export const forgetDraft = (survey: string): void => sessionStorage.removeItem(keyOf(survey));

function read(survey: string): Stored | undefined {
  const stored = sessionStorage.getItem(keyOf(survey));
  return stored === null ? undefined : (JSON.parse(stored) as Stored);
}
