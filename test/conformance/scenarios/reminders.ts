import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/people.ts';
import { newPhone, type Phone, type Push, plantFault } from '../../support/phones.ts';
import { diary, newStudy, type Study } from '../../support/studies.ts';
import { dayFromNow, expectAhead, minuteAhead, wallTime } from '../support/times.ts';
import type { ServiceWorld } from '../support/worlds.ts';

const zone = 'Asia/Kathmandu';

/** Time for what must be done between choosing the minute in which everything is due, and that minute. */
const leadMs = 15_000;

/** Drawn times with nudges, some of which fall within quiet hours. */
const sampling = {
  reminders: {
    type: 'rolling',
    recurrence: '* * * * *',
    windows: [
      { from: '09:00', to: '12:00', count: 2 },
      { from: '14:00', to: '23:00', count: 3 },
    ],
    minGap: 45,
    followUps: { every: 20, max: 3 },
  },
  quietHours: { from: '22:00', to: '09:30' },
};

/** A rolling and a fixed reminder, and one at the user's own time, until the push has arrived. */
export async function reminders(world: ServiceWorld): Promise<void> {
  const study = await newStudy(world, { of: 'reminders', startsOn: dayFromNow(-2) });
  const { owner, responder } = study;
  const phone = await newPhone(world, responder, zone);
  await owner.post('/reminders/preview', { ...sampling, timeZone: zone, startsOn: '2025-03-01', count: 40 });
  await refused(study);

  const due = minuteAhead(leadMs);
  const rolling = daily(due, 'rolling', 'A rolling reminder');
  await owner.patch(`/survey/${study.survey}`, { reminders: rolling });
  const fixed = await remind(study, owner, daily(due, 'fixed', 'A fixed reminder'));
  await responder.post(`/survey/${fixed}/download`);
  await responder.post(`/survey/${fixed}/download`);
  await pending(world, responder, 2);
  await responder.get('/user/me/notifications');
  await responder.get(`/survey/${study.survey}/reminders/upcoming?count=3`);
  await owner.get(`/survey/${fixed}/reminders/upcoming?user=${responder.id}&count=2`);
  await owner.post('/reminders/preview', {
    reminders: rolling,
    timeZone: zone,
    startsOn: dayFromNow(0),
    count: 2,
  });
  expectAhead(due);

  const pushes = await arrived(phone, 2, due);
  world.transcript.note(
    'the pushes',
    pushes.map(({ data, title, body, attributes }) => ({
      data,
      title,
      body,
      attributes: Object.keys(attributes),
    })),
  );
  await sent(world, responder, 2);
  await responder.get('/user/me/notifications');
  await owner.get(`/survey/${study.survey}/notifications?user=${responder.id}`);
  await owner.get(`/investigation/${study.id}/notifications?user=${responder.id}`);

  await owner.patch(`/survey/${study.survey}`, { reminders: null });
  await owner.patch(`/survey/${fixed}`, { status: 'archived' });
  await pending(world, responder, 0);
  await responder.get('/user/me/notifications');
}

/** The relay throttles, and the push arrives all the same; it disables an endpoint, and the device with it. */
export async function faults(world: ServiceWorld): Promise<void> {
  const study = await newStudy(world, { of: 'faults', startsOn: dayFromNow(-2) });
  const { owner, editor, responder } = study;
  const throttled = await newPhone(world, responder, zone);
  const disabled = await newPhone(world, editor, zone, 'ios');
  await plantFault(world, {
    action: 'Publish',
    code: 'Throttled',
    status: 429,
    token: throttled.token,
    times: 1,
  });
  await plantFault(world, {
    action: 'Publish',
    code: 'EndpointDisabled',
    status: 400,
    token: disabled.token,
    times: 1,
  });
  const due = minuteAhead(leadMs);
  await owner.patch(`/survey/${study.survey}`, {
    reminders: daily(due, 'rolling', 'A reminder with faults'),
  });
  await pending(world, responder, 1);
  await pending(world, editor, 1);
  expectAhead(due);

  await arrived(throttled, 1, due);
  await sent(world, responder, 1);
  await responder.get('/user/me/notifications');
  await eventually('the other one failed', () =>
    world.transcript.aside(async () => {
      const { body } = await editor.get('/user/me/notifications');
      return body.notifications.some((row: { state: string }) => row.state === 'failed');
    }),
  );
  await editor.get('/user/me/notifications');
  await editor.get('/user/me/devices');
  world.transcript.note('pushes', [(await throttled.inbox()).length, (await disabled.inbox()).length]);
}

export const daily = (due: number, type: 'rolling' | 'fixed', subject: string) => {
  const [hour, minute] = wallTime(due, zone).split(':').map(Number);
  return {
    type,
    recurrence: `${minute} ${hour} * * *`,
    notification: { subject, body: 'How was your night?' },
  };
};

export async function remind(study: Pick<Study, 'id'>, owner: Person, reminders: object): Promise<string> {
  const { body } = await owner.post(`/investigation/${study.id}/survey`, {
    name: 'More',
    items: diary,
    reminders,
  });
  return body.identifier;
}

async function refused({ owner, survey }: Study) {
  const base = { type: 'rolling', notification: { subject: 'S', body: 'B' } };
  for (const recurrence of ['@daily', '0 9 * *', '60 9 * * *', '0 9 1 * *', '0 9 * * 5-1', '*/5 9 * * *'])
    await owner.patch(`/survey/${survey}`, { reminders: { ...base, recurrence } });
  await owner.patch(`/survey/${survey}`, {
    reminders: { ...base, type: 'fixed', recurrence: '0 9 * * *', ends: 3 },
  });
}

const states = async (person: Person): Promise<string[]> => {
  const { body } = await person.get('/user/me/notifications');
  return body.notifications.map((row: { state: string }) => row.state);
};

export const pending = (world: ServiceWorld, of: Person, count: number) =>
  eventually(`${count} scheduled for ${of.name}`, () =>
    world.transcript.aside(
      async () => (await states(of)).filter((state) => state === 'scheduled').length === count,
    ),
  );

const sent = (world: ServiceWorld, of: Person, count: number) =>
  eventually(`${count} sent to ${of.name}`, () =>
    world.transcript.aside(
      async () => (await states(of)).filter((state) => state === 'sent').length === count,
    ),
  );

/** Waits for the minute, and for the pushes of it; in the order of their titles. */
async function arrived(phone: Phone, count: number, due: number): Promise<Push[]> {
  const found = await eventually(`${count} pushes to ${phone.token}`, async () => {
    const pushes = await phone.inbox();
    return pushes.length >= count && pushes;
  });
  if (found.some(({ at }) => Date.parse(at) < due)) throw new Error('a push came before its time');
  return found.toSorted((a, b) => a.title.localeCompare(b.title));
}
