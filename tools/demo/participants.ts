import type { Outcome, PushMessage } from '../../src/services.ts';
import type { Call, Past } from './past.ts';
import type { Habit } from './people.ts';

/** Minutes and the like, in ms. */
export const minutes = 60_000;
export const hours = 60 * minutes;
export const days = 24 * hours;

/** A participant with a phone, whose pushes lead to receipts and answers. */
export interface Participant {
  habit: Habit;
  call: Call;
  /** The user's identifier. */
  id: string;
  device: string;
  /** The case of their answers. */
  case: string;
  /** No answer from then on. */
  silentFrom?: number;
}

/** By the name of the survey: a person's answers. */
export type Answers = Record<string, (random: () => number) => Record<string, string>>;

interface Given {
  past: () => Past;
  random: () => number;
  answers: Answers;
}

/**
 * The phones of all participants: a push is shown at once, then opened and answered as its owner's habit is, and
 * receipts tell the service.
 */
export function createPhones({ past, random, answers }: Given) {
  const owners = new Map<string, Participant>();
  const dead = new Set<string>();
  const surveys = new Map<string, string>();
  let sent = 0;

  async function react(
    owner: Participant,
    { data }: PushMessage,
    { shownAt, opens, answers: isAnswered }: { shownAt: number; opens: boolean; answers: boolean },
  ) {
    const { notification, survey } = data;
    const now = past().now();
    const seen = { notification, event: opens ? 'opened' : 'dismissed', at: instant(now) };
    const receipts = [{ notification, event: 'shown', at: instant(shownAt) }, seen];
    await owner.call('POST', '/user/me/receipts', { receipts });
    if (!isAnswered) return;
    const name = surveys.get(survey ?? '') ?? (await owner.call('GET', `/survey/${survey}`)).name;
    surveys.set(survey ?? '', name);
    const items = answers[name]?.(random);
    if (items)
      await owner.call('POST', `/survey/${survey}/response`, { case: owner.case, items }).catch(passRefusals);
  }

  return {
    add: (endpoint: string, owner: Participant) => void owners.set(endpoint, owner),
    /** The push service says from now on that the app was removed. */
    kill: (owner: Participant) => dead.add(owner.device),
    receive(message: PushMessage, now: number): Outcome {
      const owner = owners.get(message.endpoint);
      if (!owner) return { state: 'failed', error: 'InvalidParameter' };
      if (dead.has(owner.device)) return { state: 'gone', error: 'EndpointDisabled' };
      const { habit, silentFrom = Number.POSITIVE_INFINITY } = owner;
      const isHere = now < silentFrom;
      const answers = isHere && random() < habit.answers;
      const opens = answers || (isHere && random() < habit.opens);
      const wait = Math.round((1 + habit.takes * (0.3 + 1.4 * random())) * minutes);
      if (opens || random() < 0.5)
        past().at(now + wait, () => react(owner, message, { shownAt: now + 2_000, opens, answers }));
      sent += 1;
      return { state: 'sent', messageId: `demo-${String(sent).padStart(6, '0')}` };
    },
  };
}

/** Answers while the study is frozen, or its case is locked, are refused, and not kept. */
function passRefusals(error: unknown) {
  if (!(error instanceof Error && / answered 423: /.test(error.message))) throw error;
}

export const instant = (at: number) => new Date(at).toISOString();
