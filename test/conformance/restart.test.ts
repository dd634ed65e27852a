import { expect, test } from 'vitest';
import { daily } from './scenarios/reminders.ts';
import { type Crowd, checkDelivery, historyOf, inboxes, newCrowd } from './support/crowds.ts';
import { eventually, minuteAhead, plantFault } from './support/phones.ts';
import { open, type Runtime, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';
import { Transcript } from './support/transcripts.ts';

const membersOf = (runtime: Runtime) => (runtime === 'workerd' ? 24 : 60);
const zone = 'Asia/Kathmandu';
/** The first pushes are over when the process ends; the others are slow enough to be under way. */
const first = { delayMs: 200, times: 12 };
const others = { delayMs: 1_500, times: 0 };
const leadMs = 12_000;

test.concurrent.each(['workerd', 'node', 'deno'] as const)(
  'on %s, a crash in the middle of deliveries loses none, and repeats only what shows once',
  async (runtime) => {
    const { pushes, histories } = await interrupt(runtime, 'SIGKILL');
    const repeated = histories.map((history, n) => checkDelivery(history, pushes[n] ?? []));
    // What was under way may be repeated, once; what was settled is not.
    expect(Math.max(...repeated)).toBeLessThanOrEqual(1);
    expect(repeated.filter((count) => count > 0).length).toBeLessThan(membersOf(runtime));
  },
);

test.concurrent.each(['node', 'deno'] as const)(
  'on %s, a stop in the middle of deliveries settles what is under way: none is lost, and none repeated',
  async (runtime) => {
    const { code, pushes, histories, lines, counted } = await interrupt(runtime, 'SIGTERM');
    expect(code).toBe(0);
    expect(lines.at(-1)).toContain('"event":"stop"');
    expect(histories.map((history, n) => checkDelivery(history, pushes[n] ?? []))).toEqual(
      Array(membersOf(runtime)).fill(0),
    );
    expect(counted).toContain(`fieldbell_deliveries_total{outcome="sent"} ${membersOf(runtime)}\n`);
  },
);

/** Ends the service while a minute's reminders go out, starts it again, and waits until all have arrived. */
async function interrupt(runtime: Runtime, signal: NodeJS.Signals) {
  const service = await open(runtime);
  try {
    const world = {
      url: () => service.url,
      snsUrl: service.sns.url,
      transcript: new Transcript({ recording: false }),
    };
    const crowd = await newCrowd(world, membersOf(runtime), zone);
    for (const pace of [first, others]) await plantFault(world, { action: 'Publish', ...pace });
    const due = minuteAhead(leadMs);
    const reminders = daily(due, 'rolling', 'Sleep diary');
    await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders });
    await allHave(crowd, 'scheduled');

    const someAreSent = async () => (await historiesOf(crowd)).flat().some(({ state }) => state === 'sent');
    await eventually('the first are recorded', someAreSent, due - Date.now() + 30_000);
    const before = arrivedOf(service);
    const code = await service.end(signal);
    const { lines } = service.process;
    await service.start();
    await allHave(crowd, 'sent');
    expect(before).toBeLessThan(crowd.members.length);
    const histories = await historiesOf(crowd);
    // What was counted is stored at a stop.
    if (signal === 'SIGTERM') await service.end(signal).then(() => service.start());
    return { code, lines, histories, pushes: await inboxes(world, crowd), counted: await metricsOf(service) };
  } finally {
    await service.dispose();
  }
}

async function metricsOf({ url }: Service): Promise<string> {
  const headers = { authorization: `Bearer ${settings('').METRICS_TOKEN}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}

const historiesOf = ({ members }: Crowd) => Promise.all(members.map(({ person }) => historyOf(person)));

const arrivedOf = (service: Service) => service.sns.inbox.list().length;

const allHave = (crowd: Crowd, state: string) =>
  eventually(
    `all ${state}`,
    async () => {
      const histories = await historiesOf(crowd);
      return histories.every((history) => history.some((row) => row.state === state));
    },
    90_000,
  );
