import { api, isProblem } from './api.ts';
import type { Survey } from './snapshot.ts';
import type { Texts } from './strings/en.ts';
import { ForeignAnswer } from './verdict.ts';
import { changeFaultOf } from './wording.ts';

/** Answers as the study has them. */
export interface StoredAnswers {
  identifier: string;
  items: Record<string, string>;
  /** Epoch ms. */
  givenAt: number;
  etag: string;
  isLocked: boolean;
  isArchived: boolean;
}

type Single = Awaited<ReturnType<(typeof api.response)[':id']['$get']>>;

export const readAnswers = async (identifier: string): Promise<StoredAnswers> =>
  storedIn(identifier, await api.response[':id'].$get({ param: { id: identifier }, query: {} }));

async function storedIn(identifier: string, answer: Single): Promise<StoredAnswers> {
  const { uri, items, givenAt, revisionDate, status, ...state } = await answer.json();
  const etag = answer.headers.get('etag');
  if (uri !== `/response/${identifier}` || !etag) throw new ForeignAnswer();
  return {
    identifier,
    items,
    // Without `givenAt` it was given when it was received.
    givenAt: givenAt ? Date.parse(givenAt) : revisionDate * 1000,
    etag,
    isLocked: 'lockedAt' in state && state.lockedAt !== undefined,
    isArchived: status !== 'active',
  };
}

export interface Outcome {
  /** The answers as the study has them now. */
  stored?: StoredAnswers;
  saved?: string;
  fault?: string;
}

/** Saves a correction of what this phone has read: a change by others meanwhile is not overwritten unseen. */
export async function saveAnswers(
  survey: Survey,
  { stored, items }: { stored: StoredAnswers; items: Record<string, string> },
  texts: Texts,
): Promise<Outcome> {
  const { identifier, etag } = stored;
  const patch = patchOf(survey, stored.items, items);
  if (Object.keys(patch).length === 0) return { saved: texts.sent.unchanged };
  try {
    const correction = { param: { id: identifier }, json: { items: patch } };
    const answer = await api.response[':id'].$patch(correction, { headers: { 'if-match': etag } });
    return { stored: await storedIn(identifier, answer), saved: texts.sent.saved };
  } catch (error) {
    const fault = changeFaultOf(error, texts);
    if (!isProblem(error, 412)) return { fault };
    // The answer to an earlier try may have been lost.
    const now = await readAnswers(identifier).catch(() => undefined);
    if (!now) return { fault };
    const isSaved = Object.keys(patchOf(survey, now.items, items)).length === 0;
    return isSaved ? { stored: now, saved: texts.sent.saved } : { stored: now, fault };
  }
}

/** Of the questions that the survey asks: whatever else the answers have stays. */
function patchOf({ items }: Survey, before: Record<string, string>, after: Record<string, string>) {
  const changed = items
    .map(({ identifier }) => identifier)
    .filter((item) => (before[item] ?? '') !== (after[item] ?? ''));
  return Object.fromEntries(changed.map((item) => [item, after[item] ?? null]));
}
