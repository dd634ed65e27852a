import { daily } from '../test/conformance/scenarios/reminders.ts';
import { newCrowd } from '../test/conformance/support/crowds.ts';
import { eventually, minuteAhead } from '../test/conformance/support/phones.ts';
import { open, type Runtime, runtimes } from '../test/conformance/support/runtimes.ts';
import { Transcript } from '../test/conformance/support/transcripts.ts';

/*
 * Everybody is due in the same minute: `node bench/herd.ts [workerd | node | deno] [people]`. The people sign up and
 * register over HTTP; how late they are reminded is what the local SNS saw, by the machine's clock.
 */
const [runtime = 'workerd', people = '500'] = process.argv.slice(2) as [Runtime, string];
if (!runtimes.includes(runtime)) throw new Error(`expected one of ${runtimes.join(', ')}`);

const size = Number(people);
const leadMs = 20_000;
const patienceMs = 180_000;
const service = await open(runtime);
try {
  const world = {
    url: () => service.url,
    snsUrl: service.sns.url,
    transcript: new Transcript({ recording: false }),
  };
  const crowd = await newCrowd(world, size, 'Asia/Kathmandu');
  const due = minuteAhead(leadMs);
  const reminders = daily(due, 'rolling', 'Herd');
  const answer = await crowd.owner.patch(`/survey/${crowd.survey}`, { reminders });
  if (answer.status !== 200) throw new Error(`PATCH: ${answer.status} ${answer.text}`);

  const pushes = () => service.sns.inbox.list({});
  await eventually('every push', async () => pushes().length >= size, due - Date.now() + patienceMs);
  const late = pushes()
    .map(({ at }) => Date.parse(at) - due)
    .sort((a, b) => a - b);
  const phones = new Set(pushes().map(({ token }) => token));
  const part = (p: number) => late[Math.floor((late.length - 1) * p)];
  console.log(
    `${size} people due at once on ${runtime}: ${late.length} pushes to ${phones.size} phones, ` +
      `p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, last ${part(1)} ms late`,
  );
} finally {
  await service.dispose();
}
