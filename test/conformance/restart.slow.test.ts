import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { daily, remind } from './scenarios/reminders.ts';
import { type Crowd, checkDelivery, historiesOf, inboxes, newCrowd, retriesIn } from './support/crowds.ts';
import { open, type Runtime, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { expectAhead, minuteAhead, TooLate, untilInTime } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

const membersOf = (runtime: Runtime) => (runtime === 'workerd' ? 24 : 60);
const zone = 'Asia/Kathmandu';
const minuteMs = 60_000;
/** Of the second minute, the first pushes are over when the process ends; the others are slow enough to be under way. */
const first = { delayMs: 200, times: 12 };
const others = { delayMs: 3_000, times: 0 };
const leadMs = 12_000;

test.concurrent.each(['workerd', 'node', 'deno'] as const)(
  'on %s, a crash in the middle of deliveries loses none, and repeats only what shows once',
  async (runtime) => {
    const { recorded, repeated, retries } = await untilInTime(() => interrupt(runtime, 'SIGKILL'));
    // A push under way may be repeated, once; a recorded one is not.
    for (const [notification, times] of repeated)
      expect(times, notification).toBeLessThanOrEqual(
        (recorded.has(notification) ? 0 : 1) + (retries.get(notification) ?? 0),
      );
  },
);

test.concurrent.each(['node', 'deno'] as const)(
  'on %s, a stop in the middle of deliveries records what is under way: none is lost, and none repeated',
  async (runtime) => {
    const { code, repeated, retries, lines, counted } = await untilInTime(() =>
      interrupt(runtime, 'SIGTERM'),
    );
    expect(code).toBe(0);
    expect(lines.at(-1)).toContain('"event":"stop"');
    for (const [notification, times] of repeated)
      expect(times, notification).toBeLessThanOrEqual(retries.get(notification) ?? 0);
    expect(counted).toContain(`fieldbell_deliveries_total{outcome="sent"} ${2 * membersOf(runtime)}\n`);
  },
);

/**
 * Ends the service while the second of two minutes' reminders go out, starts it again, and waits until all have arrived.
 * Those of the first minute are recorded.
 */
async function interrupt(runtime: Runtime, signal: NodeJS.Signals) {
  const service = await open(runtime);
  try {
    const world = newWorld(service);
    const crowd = await newCrowd(world, membersOf(runtime), zone);
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
    const code = await service.end(signal);
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
    // Counts are stored at a stop.
    if (signal === 'SIGTERM') await service.end(signal).then(() => service.start());
    return { code, lines, recorded, repeated, retries, counted: await metricsOf(service) };
  } finally {
    await service.dispose();
  }
}

async function metricsOf({ url }: Service): Promise<string> {
  const headers = { authorization: `Bearer ${settings('').METRICS_TOKEN}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}

const arrivedOf = ({ sns }: Service) => new Set(sns.inbox.list().map(({ data }) => data.notification));

const allHave = (crowd: Crowd, state: string, times: number) =>
  eventually(`all ${state} ${times} times`, async () =>
    (await historiesOf(crowd)).every(
      (history) => history.filter((row) => row.state === state).length >= times,
    ),
  );
