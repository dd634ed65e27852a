import { type Phone, readDelivery } from '../model/reminders/due.ts';
import { replanUsers } from '../model/reminders/plan.ts';
import { type Changes, joinChanges, writeChanges } from '../model/reminders/record.ts';
import { retry } from '../retry.ts';
import type { Services } from '../services.ts';
import { sendFollowUp } from './follow-up.ts';
import { limitPushes } from './limit-pushes.ts';
import { sendOccurrence } from './send-occurrence.ts';
import { type Decided, decideSurvey } from './survey-decision.ts';

/** A push cannot be undone, so writing it down is tried this hard. */
const recordRetry = { baseMs: 1_000, maxMs: 8_000, maxAttempts: 5 };

/** Occurrences that are pushed before they are recorded, which is what a crash may repeat. */
const maxPushes = 20;

/** Notifications that a portion settles, about 400 bytes each: they are one parameter of a statement. */
const maxSettled = 1_000;

/** Portions of one run, of up to eight statements each. What is left is due at once, in a run of its own. */
const maxPortions = 100;

/**
 * Sends what is due for the user, records it, and plans what comes next: one read and one write, or as many of both as
 * there are portions. Call it from one place at a time for each user. Returns when to call it again (epoch ms), or null.
 */
export async function deliver(services: Services, user: string): Promise<number | null> {
  let done = await deliverPortion(services, user, false);
  for (let portion = 1; done.more && portion < maxPortions; portion++)
    done = await deliverPortion(services, user, done.crowded);
  return done.next;
}

/** `more`: something else is due. `crowded`: the user has more surveys than one read takes. */
async function deliverPortion(services: Services, user: string, crowded: boolean) {
  const now = services.now();
  const read = await readDelivery({ ...services, now }, user, crowded);
  const { reminders, phones } = read;
  const max = Math.floor(maxSettled / Math.max(1, reminders.length));
  const all = reminders.map((state) => decideSurvey(state, now, max));
  const { taken, left } = takePortion(await limitPushes({ ...services, now }, all, read));
  const results = await Promise.all(taken.map((one) => carryOut(services, one, { phones, now })));
  const write = () => writeChanges({ ...services, now: services.now() }, results);
  const pushed = taken.some(pushes);
  const { refused } = await (pushed ? retry(write, recordRetry) : write());

  // A plan was refused because something changed between the read and the write: plan from what holds now.
  const replanned =
    refused.length === 0 ? [] : await replanUsers({ ...services, now: services.now() }, [user]);
  const kept = reminders
    .flatMap(({ pending, followed }) => [pending?.nextAttemptAt, followed?.nextFollowUpAt])
    .filter((at) => typeof at === 'number' && at > now) as number[];
  const changes = joinChanges(results);
  const stored = [
    ...[...changes.schedule, ...changes.retried].map((row) => row.nextAttemptAt),
    ...[
      ...changes.finish.map((row) => row.nextFollowUpAt),
      ...changes.followedUp.map((row) => row.next),
    ].flatMap((at) => at ?? []),
  ];
  const more =
    left || stored.some((at) => at <= now) || (read.more && stored.length + changes.finish.length > 0);
  const times = [...kept, ...stored, ...replanned.map(({ at }) => at), ...(left || read.more ? [now] : [])];
  return { next: times.length > 0 ? Math.min(...times) : null, more, crowded: read.crowded };
}

const pushes = ({ sending, following }: Decided) => sending !== undefined || following !== undefined;

/** The earliest due, with at most so many pushes among them. */
function takePortion(decided: Decided[]): { taken: Decided[]; left: boolean } {
  let count = 0;
  for (const one of decided) if (pushes(one)) count += 1;
  if (count <= maxPushes) return { taken: decided, left: false };
  const attemptAt = ({ state, following }: Decided) =>
    (following ? state.followed?.nextFollowUpAt : state.pending?.nextAttemptAt) ?? Infinity;
  const inOrder = decided.toSorted((a, b) => attemptAt(a) - attemptAt(b));
  let room = maxPushes;
  const end = inOrder.findIndex((one) => pushes(one) && room-- === 0);
  return { taken: inOrder.slice(0, end), left: true };
}

async function carryOut(
  services: Services,
  { state, changes, sending, following }: Decided,
  { phones, now }: { phones: Phone[]; now: number },
): Promise<Changes> {
  if (following) return { ...changes, ...(await sendFollowUp(services, { state, phones, now }, following)) };
  if (!sending) return changes;
  const {
    finish = [],
    retried = [],
    disable,
  } = await sendOccurrence(services, { state, phones, now }, sending);
  return {
    ...changes,
    finish: [...changes.finish, ...finish],
    // What is to be tried again stays the pending one.
    schedule: retried.length > 0 ? [] : changes.schedule,
    retried,
    disable,
  };
}
