import type { Database } from '../../db/database.ts';
import { nextOccurrence, type Occurrence } from '../../schedule/occurrences.ts';
import {
  type Changes,
  joinChanges,
  type Key,
  noChanges,
  type Planned,
  type Settled,
  writeChanges,
} from './record.ts';
import { type PendingRow, readAgendas, type UserAgenda } from './state.ts';

/** When the user must next be looked at, epoch ms. */
export interface Wake {
  user: string;
  at: number;
}

/** The change, if any, that gives an agenda the pending row it should have; what is due is left as it is. */
export function planChanges(agenda: UserAgenda): Changes {
  const { pending } = agenda;
  const changes = noChanges();
  // Nobody knows what should be pending until the reminders are set anew.
  if (agenda.unreadable) return changes;
  if (pending && pending.revision !== agenda.revision) changes.settle.push(invalidated(agenda, pending));
  const current = pending?.revision === agenda.revision ? pending : null;
  let next = nextOccurrence(agenda);
  if (current && current.on !== next?.on) {
    // A date that reached a phone leaves its trace, and what is planned comes after it.
    if (hasReached(current)) {
      changes.settle.push(over(agenda, current, 'sent', null));
      next = nextOccurrence({ ...agenda, settledThrough: current.on });
    } else changes.drop.push(key(agenda, current));
  }
  const kept =
    current?.on === next?.on && current?.dueAt === next?.dueAt && current?.counter === next?.counter;
  if (next && !kept) changes.plan.push(planned(agenda, next, current?.on === next.on ? current : null));
  return changes;
}

/** Whether a phone has got it. */
export const hasReached = ({ deliveries }: Pick<PendingRow, 'deliveries'>) =>
  deliveries.some((delivery) => delivery.messageId);

const key = ({ user, survey }: UserAgenda, { revision, on }: { revision: number; on: string }): Key => ({
  user,
  survey,
  revision,
  on,
});

export const planned = (
  agenda: UserAgenda,
  next: Occurrence,
  earlier: PendingRow | null = null,
): Planned => ({
  ...key(agenda, { revision: agenda.revision, on: next.on }),
  counter: next.counter,
  dueAt: next.dueAt,
  lookAt: next.dueAt,
  timeZone: agenda.timeZone,
  attempts: 0,
  deliveries: earlier?.deliveries ?? [],
  userStamp: agenda.userStamp,
  surveyStamp: agenda.surveyStamp,
});

const invalidated = (agenda: UserAgenda, pending: PendingRow): Settled =>
  hasReached(pending) ? over(agenda, pending, 'sent', null) : over(agenda, pending, 'invalidated', 'stale');

/** The pending row as it is when nothing more comes of it. */
export const over = (
  agenda: UserAgenda,
  pending: PendingRow,
  state: Settled['state'],
  reason: string | null,
): Settled => ({
  ...key(agenda, pending),
  counter: pending.counter,
  dueAt: pending.dueAt,
  timeZone: pending.timeZone,
  attempts: pending.attempts,
  state,
  reason,
  deliveries: pending.deliveries,
});

/** A plan that is refused is made anew so many times. */
const mostTries = 5;

/**
 * Plans what at most 100 users get next, in one read and one write, and takes `job` from the outbox with
 * it. Returns when each of them must be looked at. Plans that meet a change between the two are made anew.
 */
export async function replanUsers(
  db: Database,
  users: readonly string[],
  now: number,
  job?: string,
): Promise<Wake[]> {
  const wakes: Wake[] = [];
  let left = users;
  for (let tries = 0; tries < mostTries; tries++) {
    const agendas = await readAgendas(db, left);
    const made = agendas.map((agenda) => ({ agenda, changes: planChanges(agenda) }));
    const { refused } = await writeChanges(db, joinChanges(made.map(({ changes }) => changes)), now, { job });
    // Also of rows that stay as they are: whoever wrote them may have crashed before arming.
    wakes.push(...made.flatMap(({ agenda, changes }) => wakesOf(agenda, changes)));
    if (refused.length === 0) return wakes;
    left = refused;
  }
  throw new Error('what plans depend on kept changing while they were made');
}

function wakesOf({ user, pending }: UserAgenda, { plan, drop, settle }: Changes): Wake[] {
  const kept = pending && plan.length + drop.length + settle.length === 0 ? [pending] : [];
  return [...plan, ...kept].map((row) => ({ user, at: row.lookAt }));
}
