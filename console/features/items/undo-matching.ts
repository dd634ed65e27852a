import { api, read } from '../../api.ts';
import { messageOf, Refusal } from '../../problem.ts';
import { maxItems } from './item-changes.ts';
import { strings } from './item-strings.ts';

export interface Matched {
  status: 'locked' | 'unlocked';
  /** The entry of the log, which lists the changed items. */
  activity: string;
  total: number;
}

const routes = api.investigation[':id'];

/**
 * Takes back the changes of one entry, and nothing else, a thousand items at a time. @throws Refusal if only some were
 * taken back
 */
export async function undoMatching(
  study: string,
  { status, activity, total }: Matched,
  onProgress: (done: number) => void,
): Promise<void> {
  const undone = status === 'locked' ? 'unlocked' : 'locked';
  let done = 0;
  let cursor: string | undefined;
  try {
    do {
      const { cases, responses, next } = await read(
        routes.activity[':entry'].items.$get({
          param: { id: study, entry: activity },
          query: { limit: String(maxItems), cursor },
        }),
      );
      await routes['lock-items'].$post({
        param: { id: study },
        json: { status: undone, cases, responses, reason: strings.undoReason },
      });
      done += cases.length + responses.length;
      onProgress(done);
      cursor = next;
    } while (cursor !== undefined);
  } catch (error) {
    throw done === 0 ? error : new Refusal(strings.undoneSome(done, total, messageOf(error)));
  }
}
