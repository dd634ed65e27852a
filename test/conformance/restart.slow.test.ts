import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { daily, remind } from './scenarios/reminders.ts';
import { type Crowd, checkDelivery, historiesOf, inboxes, newCrowd, retriesIn } from './support/crowds.ts';
import { open, type Service } from './support/runtimes.ts';
import { expectAhead, minuteAhead, TooLate, untilInTime } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

const members = 24;
const zone = 'Asia/Kathmandu';
const minuteMs = 60_000;
/** Of the second minute, the first pushes are over when the process ends; the others are slow enough to be under way. */
const first = { delayMs: 200, times: 12 };
const others = { delayMs: 3_000, times: 0 };
const leadMs = 12_000;

/* On Node and Deno, whose clocks can be moved: `test/crash/herd.slow.test.ts`. */
test('on workerd, a crash in the middle of deliveries loses none, and repeats only what shows once', async () => {
  const { recorded, repeated, retries } = await untilInTime(interrupt);
  // A push under way may be repeated, once; a recorded one is not.
  for (const [notification, times] of repeated)
    expect(times, notification).toBeLessThanOrEqual(
      (recorded.has(notification) ? 0 : 1) + (retries.get(notification) ?? 0),
    );
});

/**
 * Kills the service while the second of two minutes' reminders go out, starts it again, and waits until all have arrived.
 * Those of the first minute are recorded.
 */
async function interrupt() {
  const service = await open('workerd');
  try {
    const world = newWorld(service);
    const crowd = await newCrowd(world, members, zone);
    const due = minuteAhead(leadMs);
    await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'Sleep diary') });
    await remind({ id: crowd.investigation }, crowd.owner, daily(due + minuteMs, 'rolling', 'Mood'));
    await allHave(crowd, 'scheduled', 2);
    expectAhead(due);
    await allHave(crowd, 'sent', 1);
    for (const pace of [first, others]) await plantFault(world, { action: 'Publish', ...pace });
    expectAhead(due + minuteMs);

    const size = crowd.members.length;
    await eventually('the first have arrived', () => arrivedOf(service).size > size);
    const recorded = new Set(
      (await historiesOf(crowd))
        .flat()
        .flatMap(({ state, identifier }) => (state === 'sent' ? identifier : [])),
    );
    if (arrivedOf(service).size === 2 * size) throw new TooLate();
    await service.end('SIGKILL');
    const { lines } = service.process;
    await fetch(`${service.sns.url}/faults`, { method: 'DELETE' });
    await service.start();
    await eventually('all have arrived', () => arrivedOf(service).size === 2 * size);
    await allHave(crowd, 'sent', 2);

    const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
    const repeated = new Map<string, number>();
    for (const notification of histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? [])))
      repeated.set(notification, (repeated.get(notification) ?? 0) + 1);
    const retries = retriesIn([...lines, ...service.process.lines]);
    return { recorded, repeated, retries };
  } finally {
    await service.dispose();
  }
}

const arrivedOf = ({ sns }: Service) => new Set(sns.inbox.list().map(({ data }) => data.notification));

const allHave = (crowd: Crowd, state: string, times: number) =>
  eventually(`all ${state} ${times} times`, async () =>
    (await historiesOf(crowd)).every(
      (history) => history.filter((row) => row.state === state).length >= times,
    ),
  );
