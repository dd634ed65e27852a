import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { plantFault } from '../support/phones.ts';
import { daily } from './scenarios/reminders.ts';
import { type Crowd, checkDelivery, historiesOf, inboxes, newCrowd, retriesIn } from './support/crowds.ts';
import { open, type Runtime, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { expectAhead, minuteAhead, TooLate, untilInTime } from './support/times.ts';
import { newWorld } from './support/worlds.ts';

const membersOf = (runtime: Runtime) => (runtime === 'workerd' ? 24 : 60);
const zone = 'Asia/Kathmandu';
/** The first pushes are over when the process ends; the others are slow enough to be under way. */
const first = { delayMs: 200, times: 12 };
const others = { delayMs: 3_000, times: 0 };
const leadMs = 12_000;

test.concurrent.each(['workerd', 'node', 'deno'] as const)(
  'on %s, a crash in the middle of deliveries loses none, and repeats only what shows once',
  async (runtime) => {
    const { repeated, retries } = await untilInTime(() => interrupt(runtime, 'SIGKILL'));
    // A push under way may be repeated, once; a recorded one is not.
    for (const [notification, times] of repeated)
      expect(times, notification).toBeLessThanOrEqual(1 + (retries.get(notification) ?? 0));
    const underWay = [...repeated.keys()].filter((notification) => !retries.has(notification));
    expect(underWay.length).toBeLessThan(membersOf(runtime));
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
    expect(counted).toContain(`fieldbell_deliveries_total{outcome="sent"} ${membersOf(runtime)}\n`);
  },
);

/** Ends the service while a minute's reminders go out, starts it again, and waits until all have arrived. */
async function interrupt(runtime: Runtime, signal: NodeJS.Signals) {
  const service = await open(runtime);
  try {
    const world = newWorld(service);
    const crowd = await newCrowd(world, membersOf(runtime), zone);
    for (const pace of [first, others]) await plantFault(world, { action: 'Publish', ...pace });
    const due = minuteAhead(leadMs);
    await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders: daily(due, 'rolling', 'Sleep diary') });
    await allHave(crowd, 'scheduled');
    expectAhead(due);

    await eventually('the minute', async () => Date.now() >= due);
    await eventually('the first are recorded', async () =>
      (await historiesOf(crowd)).flat().some(({ state }) => state === 'sent'),
    );
    const before = arrivedOf(service).size;
    if (before === crowd.members.length) throw new TooLate();
    const code = await service.end(signal);
    const { lines } = service.process;
    await fetch(`${service.sns.url}/faults`, { method: 'DELETE' });
    await service.start();
    await eventually('all have arrived', async () => arrivedOf(service).size === crowd.members.length);
    await allHave(crowd, 'sent');

    const [histories, pushes] = [await historiesOf(crowd), await inboxes(crowd)];
    const repeated = new Map<string, number>();
    for (const notification of histories.flatMap((history, n) => checkDelivery(history, pushes[n] ?? [])))
      repeated.set(notification, (repeated.get(notification) ?? 0) + 1);
    const retries = retriesIn([...lines, ...service.process.lines]);
    // Counts are stored at a stop.
    if (signal === 'SIGTERM') await service.end(signal).then(() => service.start());
    return { code, lines, repeated, retries, counted: await metricsOf(service) };
  } finally {
    await service.dispose();
  }
}

async function metricsOf({ url }: Service): Promise<string> {
  const headers = { authorization: `Bearer ${settings('').METRICS_TOKEN}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}

const arrivedOf = ({ sns }: Service) => new Set(sns.inbox.list().map(({ data }) => data.notification));

const allHave = (crowd: Crowd, state: string) =>
  eventually(`all ${state}`, async () =>
    (await historiesOf(crowd)).every((history) => history.some((row) => row.state === state)),
  );
