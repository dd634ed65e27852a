import { type Client, ProblemError } from '@fieldbell/client';
import type { Memory, Refused, Waiting } from './memory.ts';

const receiptsAtOnce = 500;

/**
 * Sends the requests that wait, answers first, in their order: they are noted before the receipts and the agenda that
 * depend on them. Each stays until the service has taken or refused it; refused answers go into `refused`. Answers that
 * a frozen or full study does not take yet wait for the next time.
 * @throws the error of `fetch` without a network, and ProblemError if the service asks to come back later
 */
export function createOutbox({ api }: Client, memory: Memory) {
  let running: Promise<void> | null = null;

  async function send(entry: Refused['entry']): Promise<void> {
    if (entry.kind === 'case') {
      const param = { id: entry.investigation };
      await api.investigation[':id'].case.$post({ param, json: entry.json });
      return;
    }
    const param = { id: entry.survey };
    try {
      await api.survey[':id'].response.$post({ param, json: entry.json });
    } catch (error) {
      if (!isAboutTime(error)) throw error;
      // The phone's clock is wrong: the service takes the time of arrival.
      const { at: _, ...json } = entry.json;
      await api.survey[':id'].response.$post({ param, json });
    }
  }

  async function sendAll(): Promise<void> {
    const { waiting } = await memory.read();
    const held = new Set<string>();
    for (const entry of waiting) {
      // An answer goes behind its case.
      if (entry.kind === 'receipt' || (entry.kind === 'response' && held.has(entry.json.case))) continue;
      const code = await send(entry).then(
        () => null,
        (error: unknown) => {
          if (isFinal(error)) return error.code;
          if (!isHeld(error)) throw error;
          held.add(entry.json.identifier);
          return null;
        },
      );
      if (held.has(entry.json.identifier)) continue;
      await memory.update((state) => ({
        waiting: state.waiting.filter((other) => !isSame(other, entry)),
        refused: code === null ? state.refused : [...state.refused, { entry, code }],
      }));
    }
    const receipts = waiting.filter((entry) => entry.kind === 'receipt');
    while (receipts.length > 0) {
      const batch = receipts.splice(0, receiptsAtOnce);
      const json = { receipts: batch.map(({ notification, event, at }) => ({ notification, event, at })) };
      // Receipts in `refused` stay refused: all of them leave the list.
      await api.user.me.receipts.$post({ json });
      await memory.update((state) => ({
        waiting: state.waiting.filter((entry) => !batch.some((sent) => isSame(entry, sent))),
      }));
    }
  }

  return {
    add: (entry: Waiting) => memory.update(({ waiting }) => ({ waiting: [...waiting, entry] })),
    /** Sends what waits now; a call while another runs waits for that one. */
    flush(): Promise<void> {
      running ??= sendAll().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Of receipts of a kind the earliest counts, so that one may stand for all. */
const isSame = (first: Waiting, second: Waiting) =>
  first.kind === 'receipt' || second.kind === 'receipt'
    ? first.kind === 'receipt' &&
      second.kind === 'receipt' &&
      first.notification === second.notification &&
      first.event === second.event
    : first.json.identifier === second.json.identifier;

const isAboutTime = (error: unknown) =>
  error instanceof ProblemError &&
  error.status === 400 &&
  error.errors.some(({ pointer }) => pointer === '/at');

const later = new Set([401, 408, 425, 429]);
const isFinal = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.status < 500 && !later.has(error.status) && !isHeld(error);

/** The study is frozen, the case locked, or there is no room: that passes, and other studies go on. */
const isHeld = (error: unknown) =>
  error instanceof ProblemError && (error.status === 423 || error.code === 'limit.reached');
