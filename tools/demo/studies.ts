import { createHash } from 'node:crypto';
import { type Answers, days, hours, instant, type Participant } from './participants.ts';
import type { Call, Past } from './past.ts';
import { diarists, type Habit, momentaries } from './people.ts';
import { demoStudy } from './study.ts';

const { owner: ada, editor: bruno } = demoStudy.people;

const between = (random: () => number, from: number, to: number) =>
  String(from + Math.floor(random() * (to - from + 1)));

const clock = (random: () => number, hour: number, span: number) =>
  `${String((hour + Math.floor(random() * span)) % 24).padStart(2, '0')}:${between(random, 0, 5)}0`;

const notes = ['', '', '', 'Slept badly after the late shift.', 'Two coffees too many.', 'Quiet night.'];

/** Answers by the title of the reminder. */
export const answers: Answers = {
  'Your day': (random) => ({
    bedtime: clock(random, 22, 4),
    hours: between(random, 4, 9),
    rested: between(random, 1, 5),
    notes: notes[Math.floor(random() * notes.length)] ?? '',
  }),
  'Right now': (random) => ({ tired: between(random, 1, 5), where: random() < 0.6 ? 'At work' : 'At home' }),
};

const diary = {
  name: 'Diary',
  items: [
    { identifier: 'bedtime', label: 'When did you go to bed?' },
    { identifier: 'hours', label: 'How many hours did you sleep?' },
    { identifier: 'rested', label: 'How rested do you feel, from 1 to 5?' },
    { identifier: 'notes', label: 'Anything else?' },
  ],
  reminders: {
    type: 'rolling',
    recurrence: '0 19 * * *',
    expiresAfter: 240,
    followUps: { every: 90, max: 1, stop: 'answered' },
    notification: { subject: 'Your day', body: 'How was your night? Four short questions.' },
    translations: { fr: { subject: 'Your day', body: 'Avez-vous bien dormi ? Quatre questions.' } },
  },
};

const moments = {
  name: 'Right now',
  items: [
    { identifier: 'tired', label: 'How tired are you, from 1 to 5?' },
    { identifier: 'where', label: 'Where are you?' },
  ],
  reminders: {
    type: 'rolling',
    recurrence: '* * * * *',
    windows: [
      { from: '09:00', to: '12:00' },
      { from: '14:00', to: '20:00', count: 2 },
    ],
    minGap: 60,
    expiresAfter: 55,
    followUps: { every: 20, max: 2, stop: 'opened' },
    notification: { subject: 'Right now', body: 'How tired are you? Two questions.' },
  },
};

interface Set {
  past: Past;
  /** Lets a phone's pushes reach its owner. */
  connect(token: string, owner: Participant): void;
  kill(owner: Participant): void;
  /** When the past ends: now. */
  end: number;
  /** The URL of the receiver beside the local SNS. */
  receiver: string;
}

interface Staff {
  ada: Call;
  bruno: Call;
  study: string;
  survey: string;
}

/** Eight weeks of a diary, in which each kind of trouble happens to somebody. */
export async function startDiary(set: Set): Promise<void> {
  const { past, end, kill, receiver } = set;
  const start = past.now();
  const staff = await startStudy(set, 'Night shifts and sleep', diary);
  const people: Participant[] = [];
  for (const [n, habit] of diarists.entries()) people.push(await join(set, staff, { habit, n }));
  const [farid, greta, hana, ivo, jules, kofi, leila] = people as [
    Participant,
    Participant,
    Participant,
    Participant,
    Participant,
    Participant,
    Participant,
  ];
  const path = `/investigation/${staff.study}`;
  // All but one have downloaded the survey.
  for (const { call } of people.filter((one) => one !== kofi))
    await call('POST', `/survey/${staff.survey}/download`);

  past.at(start + 33 * days, async () => kill(farid));
  past.at(start + 21 * days, () =>
    greta.call('PATCH', `/device/${greta.device}`, { timeZone: 'Asia/Tokyo' }),
  );
  past.at(start + 30 * days, () =>
    greta.call('PATCH', `/device/${greta.device}`, { timeZone: 'Europe/Paris' }),
  );
  hana.silentFrom = lastThursday(end);
  past.at(end - 3 * days, () =>
    ivo.call('PUT', '/user/me/pause', { until: instant(end + 11 * days), investigation: staff.study }),
  );
  past.at(start + 37 * days, () => jules.call('DELETE', `${path}/member/${jules.id}`));
  past.at(start + 5 * days, () => leila.call('PATCH', '/user/me', { customRemindersTime: '20:30' }));

  // Young enough to be open.
  past.at(end - 5 * days, () =>
    staff.ada('POST', `${path}/member`, { email: 'dr.lund@example.org', role: 'editor' }),
  );

  past.at(start + 9 * days, async () => {
    const webhook = await staff.ada('POST', `${path}/webhook`, { url: `${receiver}/calls` });
    // The receiver beside the local SNS checks signatures by it.
    await fetch(`${receiver}/secrets`, { method: 'POST', body: JSON.stringify(webhook) });
  });
  for (const week of [1, 2, 3, 5, 6])
    past.at(start + (7 * week + 1) * days + 9 * hours, () =>
      staff.bruno('POST', `${path}/lock-matching`, {
        status: 'locked',
        filter: { kinds: ['responses'], before: instant(start + 7 * week * days) },
        reason: `Week ${week} checked`,
      }),
    );
  const freeze = (status: string, reason: string) => () =>
    staff.ada('POST', `${path}/freeze`, { status, reason });
  past.at(start + 28 * days + 8 * hours, freeze('frozen', 'Interim analysis'));
  past.at(start + 29 * days + 17 * hours, freeze('active', 'Interim analysis is done'));
  past.at(end - 4 * days, () =>
    staff.ada('POST', `${path}/lock-matching`, {
      status: 'locked',
      filter: { kinds: ['responses'], before: instant(end - 7 * days) },
      reason: 'Before the second analysis',
      signature: { meaning: 'I have reviewed these answers and approve them.' },
    }),
  );
}

/** Eight weeks of questions at moments that nobody knows before, with nudges. */
export async function startMoments(set: Set): Promise<void> {
  const staff = await startStudy(set, 'Tiredness, moment by moment', moments);
  const people: Participant[] = [];
  for (const [n, habit] of momentaries.entries()) people.push(await join(set, staff, { habit, n }));
  for (const { call } of people) await call('POST', `/survey/${staff.survey}/download`);
  await people[0]?.call('PATCH', '/user/me', { quietHours: { from: '19:00', to: '08:00' } });
}

async function startStudy(
  { past }: Set,
  name: string,
  wanted: typeof diary | typeof moments,
): Promise<Staff> {
  const staff = { ada: past.as(ada), bruno: past.as(bruno) };
  const { timeZone } = demoStudy;
  await staff.ada('POST', '/user', { name: ada.name, timeZone });
  const editor = await staff.bruno('POST', '/user', {
    name: bruno.name,
    timeZone,
    quietHours: bruno.quietHours,
  });
  const study = (await staff.ada('POST', '/investigation', { name, timeZone })).identifier;
  await staff.ada('POST', `/investigation/${study}/member`, { user: editor.identifier, role: 'editor' });
  const survey = (await staff.bruno('POST', `/investigation/${study}/survey`, wanted)).identifier;
  return { ...staff, study, survey };
}

/** A participant signs up by an invitation or a code, and registers a phone. */
async function join(
  { past, connect }: Set,
  staff: Staff,
  { habit, n }: { habit: Habit; n: number },
): Promise<Participant> {
  const { name, timeZone, language, platform, joinsByCode } = habit;
  const subject = `demo-${name.toLowerCase().replaceAll(' ', '-')}`;
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
  const code = `P-${String(n + 1).padStart(3, '0')}`;
  const { call, id } = joinsByCode
    ? await enrol(past, staff, { name, timeZone, code })
    : await accept(past.as({ subject, email }), staff, { name, timeZone, email, code });
  const token = createHash('sha512').update(subject).digest('hex');
  const phone = await call('POST', '/user/me/device', { platform, token, timeZone, language });
  const own = await staff.bruno('POST', `/investigation/${staff.study}/case`, { label: `${code}, nights` });
  const participant = { habit, call, id, device: phone.identifier, case: own.identifier };
  connect(token, participant);
  return participant;
}

type Person = Record<'name' | 'timeZone' | 'code', string>;

async function accept(
  call: Call,
  { ada: owner, study }: Staff,
  { code, email, ...who }: Person & { email: string },
) {
  await owner('POST', `/investigation/${study}/member`, { email, role: 'responder', code });
  return { call, id: (await call('POST', '/user', who)).identifier as string };
}

async function enrol(past: Past, { ada: owner, study }: Staff, { code, ...who }: Person) {
  const path = `/investigation/${study}`;
  const made = await owner('POST', `${path}/enrolment`, { label: 'Ward 3', uses: 20 });
  const { user, token } = await past.withToken()('POST', '/enrol', { code: made.code, ...who });
  const id: string = user.identifier;
  await owner('PATCH', `${path}/member/${id}`, { code });
  return { call: past.withToken(token), id };
}

/** The beginning of the latest Thursday that is over by now: at least three reminders ago. */
function lastThursday(end: number): number {
  const day = Math.floor(end / days);
  // The epoch was a Thursday.
  const since = day % 7;
  return (day - (since < 4 ? since + 7 : since)) * days;
}
