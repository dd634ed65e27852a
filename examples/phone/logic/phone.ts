import { type Client, newIdentifier, ProblemError } from '@fieldbell/client';
import { syncCopies } from './copies.ts';
import { createMemory, type ReceiptEvent, type Refused } from './memory.ts';
import { createOutbox } from './outbox.ts';
import { type About, register } from './registration.ts';
import type { Notice, NotificationSystem, Reminder, Store } from './system.ts';

export interface PhoneParts {
  client: Client;
  system: NotificationSystem;
  store: Store;
  about: () => About;
  now?: () => number;
}

/** Duration of "Later". */
export const laterMinutes = 30;
/** The service takes a snooze of five minutes or more. */
const leastMinutes = 5;
/** Notices that the app remembers to have shown. */
const maxArrived = 200;

export type Later = { nextAt: string } | { over: ProblemError['code'] };

/**
 * An app's duties around reminders. Each function may be called without a network: work that needs one waits in the
 * store, and goes out with the next `refresh`.
 */
export function createPhone({ client, system, store, about, now = Date.now }: PhoneParts) {
  const memory = createMemory(store);
  const outbox = createOutbox(client, memory);
  const iso = () => new Date(now()).toISOString();

  /** At every start, and when the token, the zone or the language changes. */
  async function start(): Promise<{ device: string | null; refused: Refused[] }> {
    const registered = await unlessOffline(() => register(client, { system, memory }, about()));
    const { device } = registered ?? (await memory.read());
    return { device, refused: await refresh() };
  }

  /** When the network is back, after each push and each answer: sends what waits, then makes the copies follow. */
  async function refresh(): Promise<Refused[]> {
    await unlessOffline(async () => {
      await outbox.flush();
      await handOverLater();
      await syncCopies({ client, system, memory, now });
    });
    return (await memory.read()).refused;
  }

  async function note({ notification }: Reminder, event: ReceiptEvent) {
    await memory.update(({ arrived }) => ({
      arrived: [...arrived.filter((one) => one !== notification), notification].slice(-maxArrived),
    }));
    await outbox.add({ kind: 'receipt', notification, event, at: iso() });
  }

  /** A push or a copy is on the screen. */
  async function arrived(reminder: Reminder) {
    await note(reminder, 'shown');
    await system.cancel(reminder.notification);
    await refresh();
  }

  /** The person tapped the notice: the app shows `survey` next. */
  async function opened(reminder: Reminder) {
    await note(reminder, 'opened');
    await system.cancel(reminder.notification);
    await system.dismiss(reminder.notification);
    await refresh();
  }

  async function dismissed(reminder: Reminder) {
    await note(reminder, 'dismissed');
    await system.cancel(reminder.notification);
    await refresh();
  }

  /** "Later": the time of the next notice, or why there is none. Without a network the phone shows it by itself. */
  async function later(notice: Notice): Promise<Later> {
    const { notification } = notice;
    await system.cancel(notification);
    await system.dismiss(notification);
    try {
      return { nextAt: await snooze(notification, laterMinutes) };
    } catch (error) {
      if (isOver(error)) return { over: error.code };
      if (error instanceof ProblemError) throw error;
    }
    const at = now() + laterMinutes * 60_000;
    const { known } = await memory.read();
    const { expiresAt } = known[notification] ?? {};
    if (expiresAt !== undefined && at >= Date.parse(expiresAt)) return { over: 'notification.expired' };
    const copy = { ...notice, at };
    await memory.update((state) => ({
      later: [...state.later.filter((one) => one.notification !== notification), copy],
    }));
    await system.schedule(copy);
    return { nextAt: new Date(at).toISOString() };
  }

  async function snooze(notification: string, minutes: number): Promise<string> {
    const param = { id: notification };
    const answer = await client.api.notification[':id'].snooze.$post({ param, json: { minutes } });
    return (await answer.json()).nextAt;
  }

  /** The service takes over what was put off without a network, unless that is due within moments or past. */
  async function handOverLater() {
    for (const { notification, at } of (await memory.read()).later) {
      const minutes = Math.round((at - now()) / 60_000);
      if (at > now() && minutes < leastMinutes) continue;
      if (at > now())
        await snooze(notification, minutes).catch((error: unknown) => {
          if (!isOver(error)) throw error;
        });
      await memory.update((state) => ({
        later: state.later.filter((one) => one.notification !== notification || one.at !== at),
      }));
    }
  }

  /** Keeps an answer with the time at which it was given, and sends it as soon as there is a network. */
  async function answered(answer: {
    investigation: string;
    survey: string;
    label: string;
    items: Record<string, string>;
  }): Promise<Refused[]> {
    const { investigation, survey, label, items } = answer;
    const ofCase = { label, identifier: newIdentifier(now()) };
    const response = { case: ofCase.identifier, items, identifier: newIdentifier(now()), at: iso() };
    await outbox.add({ kind: 'case', investigation, json: ofCase });
    await outbox.add({ kind: 'response', survey, json: response });
    await clearNotices(survey);
    return refresh();
  }

  /** Nothing on the screen asks for an answer that was given, and nothing that was put off does so again. */
  async function clearNotices(survey: string) {
    const { known, later: putOff } = await memory.read();
    for (const { notification } of putOff.filter((one) => one.survey === survey))
      await system.cancel(notification);
    for (const [notification, one] of Object.entries(known))
      if (one.survey === survey) await system.dismiss(notification);
    await memory.update((state) => ({ later: state.later.filter((one) => one.survey !== survey) }));
  }

  /** The person has seen that this answer cannot be taken. */
  const forget = (identifier: string) =>
    memory.update(({ refused }) => ({
      refused: refused.filter(({ entry }) => entry.json.identifier !== identifier),
    }));

  return { start, refresh, arrived, opened, dismissed, later, answered, forget };
}

export type Phone = ReturnType<typeof createPhone>;

const isOver = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && (error.status === 409 || error.status === 404);

/** Undefined if there was no network, or the service asks to come back later. Other refusals are mistakes of the app. */
async function unlessOffline<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500 && error.status !== 429) throw error;
    return undefined;
  }
}
