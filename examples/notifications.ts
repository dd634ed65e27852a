// In an app of its own: from '@fieldbell/client'.
import { type Api, type Client, type InferResponseType, ProblemError } from '../client/client.ts';

type Agenda = InferResponseType<Api['user'][':id']['agenda']['$get']>;

/** The phone's own copy of its next reminders, with the ETag that it was read under. */
export interface Copy {
  etag: string;
  occurrences: Agenda['occurrences'];
}

/** Reads the copy again. It is kept while it is current (304). */
export async function refreshCopy({ api }: Client, device: string, copy?: Copy): Promise<Copy> {
  const answer = await api.user[':id'].agenda.$get(
    { param: { id: 'me' }, query: { device } },
    { headers: copy ? { 'if-none-match': copy.etag } : {} },
  );
  if (copy && !answer.ok) return copy;
  const { occurrences } = await answer.json();
  return { etag: answer.headers.get('etag') ?? '', occurrences };
}

/** A reaction to a notification on the phone; `at` is when, ISO 8601. */
export interface Receipt {
  /** From the data of the push. */
  notification: string;
  event: 'shown' | 'opened' | 'dismissed';
  at: string;
}

const receiptsAtOnce = 500;

/** Sends the kept receipts, and removes them from the list; receipts that a lost connection leaves are sent next time. */
export async function sendReceipts({ api }: Client, kept: Receipt[]): Promise<void> {
  while (kept.length > 0) {
    const receipts = kept.slice(0, receiptsAtOnce);
    await api.user.me.receipts.$post({ json: { receipts } });
    kept.splice(0, receipts.length);
  }
}

/** "Later": the time of the next push, ISO 8601, or why there is none, to tell the user and hide the button. */
export async function snooze({ api }: Client, notification: string, minutes: number) {
  try {
    const answer = await api.notification[':id'].snooze.$post({
      param: { id: notification },
      json: { minutes },
    });
    return { nextAt: (await answer.json()).nextAt };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 409) return { over: error.code };
    throw error;
  }
}

/**
 * Changes answers of a response that another device may have changed too. `merge` gets the newest answers, and returns
 * the changes. Resolves to false if the response cannot be changed (locked, frozen or archived): keep the user's input.
 */
export async function correct(
  { api }: Client,
  response: string,
  merge: (items: Record<string, string>) => Record<string, string | null>,
): Promise<boolean> {
  const param = { id: response };
  for (;;) {
    const current = await api.response[':id'].$get({ param });
    const { items } = await current.json();
    const headers = { 'if-match': current.headers.get('etag') ?? '' };
    try {
      await api.response[':id'].$patch({ param, json: { items: merge(items) } }, { headers });
      return true;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.status === 409 || error.status === 423) return false;
      if (error.status !== 412) throw error;
    }
  }
}
