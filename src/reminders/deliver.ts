import type { Services } from '../services.ts';
import { type Changes, joinChanges, laterPushes, nextTimes } from './changes.ts';
import { type Phone, readDelivery } from './due.ts';
import { type Decided, decide, dueAtOf } from './lifecycle.ts';
import { limitPushes } from './limit-pushes.ts';
import { replanUsers } from './plan.ts';
import { pushDue } from './push-due.ts';
import { withResult } from './pushed.ts';
import { writeChanges } from './record.ts';
import { CannotRecord, mayPush, recordKept, recordPushes } from './unrecorded.ts';

/** Occurrences that are pushed before they are recorded: the most that a crash can repeat. */
const maxPushes = 20;

/** Notifications that a page settles, about 400 bytes each: they form one parameter of a statement. */
const maxSettled = 1_000;

/** Pages of one run, of up to ten statements each. The rest is due at once, in a run of its own. */
const maxPages = 100;

/**
 * Reads the user's due reminders, decides, pushes and writes: a page of the surveys that are due first, then another as
 * long as more is due. Pushes of an earlier run without a record are recorded first. Call it from one place at a time for
 * each user. Returns when to call it again (epoch ms), or null.
 * @throws CannotRecord, and errors of the database
 */
export async function deliver(services: Services, user: string): Promise<number | null> {
  await recordKept(services, user);
  let done = await deliverPage(services, user);
  for (let page = 1; done.more && page < maxPages; page++) done = await deliverPage(services, user);
  return done.next;
}

/** `more`: something else is due. */
async function deliverPage(services: Services, user: string) {
  const now = services.now();
  const read = await readDelivery({ ...services, now }, user);
  const { reminders, phones, isFull } = read;
  const max = Math.floor(maxSettled / Math.max(1, reminders.length));
  const all = reminders.map((state) => decide(state, now, max));
  const decided = await limitPushes({ ...services, now }, all, read);
  const first = firstDue(decided);
  const isPushing = first.some(({ push }) => push);
  if (isPushing && !(await mayPush(services))) throw new CannotRecord();
  const carriedOut = await Promise.all(
    first.map(async (one) => ({
      push: one.push,
      changes: await carryOut(services, one, { phones, now }),
    })),
  );
  const results = carriedOut.map(({ changes }) => changes);
  const { refused } = await (isPushing
    ? recordPushes(services, user, carriedOut)
    : writeChanges({ ...services, now: services.now() }, results));

  // A plan was refused because its stamps changed between the read and the write: plan again from the present state, in
  // which a push may be that was under way when somebody else planned.
  const replanned =
    refused.length === 0
      ? []
      : await replanUsers({ ...services, now: services.now() }, [user], { verify: true });
  const changes = joinChanges(results);
  const stored = nextTimes(changes);
  const isLeft = first.length < decided.length;
  const kept = reminders
    .flatMap(({ pending, followed }) => [pending?.nextAttemptAt ?? [], followed ? laterPushes(followed) : []])
    .flat();
  const times = [
    ...kept.filter((at) => at > now),
    ...stored,
    ...replanned.map(({ at }) => at),
    ...(isLeft || isFull ? [now] : []),
  ];
  return {
    next: times.length > 0 ? Math.min(...times) : null,
    more: isLeft || stored.some((at) => at <= now) || (isFull && stored.length + changes.finish.length > 0),
  };
}

/** The surveys that are due first, with at most `maxPushes` pushes among them. */
function firstDue(decided: Decided[]): Decided[] {
  if (decided.filter(({ push }) => push).length <= maxPushes) return decided;
  const inOrder = decided.toSorted((a, b) => dueAtOf(a) - dueAtOf(b));
  let pushes = 0;
  return inOrder.slice(
    0,
    inOrder.findIndex(({ push }) => push && ++pushes > maxPushes),
  );
}

async function carryOut(
  services: Services,
  decided: Decided,
  { phones, now }: { phones: Phone[]; now: number },
): Promise<Changes> {
  const { push, state, changes } = decided;
  if (!push) return changes;
  const { result, gone } = await pushDue(services, { state, push, phones, now });
  const disable = gone.map((device) => ({ device, readAt: now }));
  return { ...withResult(decided, result), disable };
}
