import { perform } from './actions.ts';
import type { Context } from './context.ts';
import { createHeap } from './heap.ts';
import type { Event, Habits, Scenario } from './scenario.ts';
import type { Source } from './world.ts';

/** Reactions of people to pushes, some time after each. `draw` is told the phone. */
export function createHabits(context: Context, scenario: Scenario, draw: (phone: string) => number): Source {
  const { records, relay } = context;
  const waiting = createHeap<{ order: number; event: Event }>((a, b) =>
    a.event.at === b.event.at ? a.order < b.order : a.event.at < b.event.at,
  );
  const habitsOf = new Map(scenario.members.map(({ name, habits }) => [name, habits]));
  let order = 0;
  relay.listen((push) => {
    const member = [...records.members.values()].find(({ tokens }) => tokens.last().includes(push.token));
    const survey = [...records.surveys.values()].find(({ id }) => id === push.survey);
    const habits = habitsOf.get(member?.name ?? '');
    const random = () => draw(`${push.token} ${survey?.name}`);
    if (!member || !survey || !habits || random() >= habits.share) return;
    const event = reaction(habits, { at: push.at, who: member.name, survey: survey.name }, random);
    if (event.at < scenario.until) waiting.push({ order: order++, event });
  });
  return {
    next: () => waiting.peek()?.event.at ?? null,
    fire() {
      const due = waiting.pop();
      if (due) perform(context, due.event);
    },
  };
}

function reaction(
  { after, snooze }: Habits,
  push: { at: number; who: string; survey: string },
  random: () => number,
): Event {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  // Often just before or during the decision and push of the next follow-up.
  const near = Math.floor((random() * 12 - 6) * 1000);
  const at = push.at + Math.max(500, one(after) * 60_000 + near);
  const does = one(['answers', 'opens', 'snoozes', 'reports'] as const);
  if (does === 'reports') return { who: push.who, at, does };
  if (does === 'answers') return { ...push, at, does, q1: 'badly', minutesAgo: 0, names: near > 0 };
  if (does === 'opens') return { ...push, at, does };
  return { ...push, at, does, minutes: one(snooze), older: random() < 0.15 };
}
