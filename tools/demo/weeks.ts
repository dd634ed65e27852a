import { createHash } from 'node:crypto';
import { type Answers, days, hours, instant, type Participant } from './participants.ts';
import type { Call, Past } from './past.ts';
import { diarists, firstParticipant, type Habit } from './people.ts';
import { addLaterSurveys, setUpStudy } from './seed.ts';
import { demoStudy, diaryReminders } from './study.ts';

const { owner: ada, editor: bruno, monitor: mona, responder: chidi } = demoStudy.people;

const between = (random: () => number, from: number, to: number) =>
  String(from + Math.floor(random() * (to - from + 1)));

const clock = (random: () => number, hour: number, span: number) =>
  `${String((hour + Math.floor(random() * span)) % 24).padStart(2, '0')}:${between(random, 0, 5)}0`;

const pick = (random: () => number, of: readonly string[]) => of[Math.floor(random() * of.length)] ?? '';

const notes = ['', '', '', 'Slept badly after the late shift.', 'Two coffees too many.', 'Quiet night.'];
const kept = ['', '', 'noise', 'light', 'worries', 'noise worries'];

const { surveys } = demoStudy;

/** Answers by the name of the survey. */
export const answers: Answers = {
  [surveys.diary.name]: (random) => ({
    bedtime: clock(random, 22, 4),
    asleep: between(random, 4, 9),
    rested: between(random, 1, 5),
    kept: pick(random, kept),
    notes: pick(random, notes),
  }),
  [surveys.moments.name]: (random) => ({ tired: between(random, 1, 5) }),
  [surveys.evenings.name]: (random) => ({ coffee: between(random, 0, 5) }),
  [surveys.weeks.name]: (random) => ({ burden: between(random, 1, 3) }),
  [surveys.glasses.name]: (random) => ({ worn: between(random, 0, 9) }),
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
}

/** Eight weeks of the study, in which each kind of trouble happens to somebody. */
export async function startStudy(set: Set): Promise<void> {
  const { past, end, kill, receiver } = set;
  const start = past.now();
  const [owner, editor, monitor, responder] = [ada, bruno, mona, chidi].map((person) => past.as(person)) as [
    Call,
    Call,
    Call,
    Call,
  ];
  const { study, survey, weeks, responderId } = await setUpStudy({
    owner: { call: owner },
    editor: { call: editor },
    monitor: { call: monitor },
    responder: { call: responder },
  });
  const staff = { ada: owner, bruno: editor, study };
  const path = `/investigation/${study}`;
  await staff.ada('PATCH', `/survey/${survey}`, { reminders: diaryReminders('0 19 * * *') });
  await equip(set, staff, {
    habit: firstParticipant,
    call: responder,
    id: responderId,
    token: demoStudy.phoneToken,
    label: 'Nights at home',
    properties: demoStudy.group,
  });
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
  // All but one have downloaded the surveys.
  for (const { call } of people.filter((one) => one !== kofi))
    for (const id of [survey, weeks]) await call('POST', `/survey/${id}/download`);

  past.at(start + 33 * days, async () => kill(farid));
  past.at(start + 21 * days, () =>
    greta.call('PATCH', `/device/${greta.device}`, { timeZone: 'Asia/Tokyo' }),
  );
  past.at(start + 30 * days, () =>
    greta.call('PATCH', `/device/${greta.device}`, { timeZone: 'Europe/Paris' }),
  );
  hana.silentFrom = lastThursday(end);
  past.at(end - 3 * days, () =>
    ivo.call('PUT', '/user/me/pause', { until: instant(end + 11 * days), investigation: study }),
  );
  past.at(start + 37 * days, () => jules.call('DELETE', `${path}/member/${jules.id}`));
  past.at(start + 5 * days, () => leila.call('PATCH', '/user/me', { customRemindersTime: '20:30' }));

  past.at(end - 3 * days, () => addLaterSurveys({ call: staff.bruno }, study));
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

/** A participant signs up by an invitation or a code. */
async function join(set: Set, staff: Staff, { habit, n }: { habit: Habit; n: number }): Promise<Participant> {
  const { past } = set;
  const { name, timeZone, joinsByCode } = habit;
  const subject = `demo-${name.toLowerCase().replaceAll(' ', '-')}`;
  const email = `${name.toLowerCase().replace(' ', '.')}@example.org`;
  const code = `P-${String(n + 1).padStart(3, '0')}`;
  const properties = groupOf(n);
  const joined = joinsByCode
    ? await enrol(past, staff, { name, timeZone, code, properties })
    : await accept(past.as({ subject, email }), staff, { name, timeZone, email, code, properties });
  const token = createHash('sha512').update(subject).digest('hex');
  return equip(set, staff, { ...joined, habit, token, label: `${code}, nights`, properties });
}

type Joined = Pick<Participant, 'habit' | 'call' | 'id'> & {
  token: string;
  label: string;
  properties: object;
};

/** Sites by turns, and arms by turns within each. */
function groupOf(n: number): Record<string, string> {
  const [sites, arms] = demoStudy.properties;
  return { site: sites.values[n % 2 === 0 ? 1 : 0], arm: arms.values[n % 4 < 2 ? 1 : 0] };
}

/** Gives a participant a registered phone, and a case for their answers. */
async function equip({ connect }: Set, staff: Staff, { token, label, properties, ...person }: Joined) {
  const { platform, timeZone, language } = person.habit;
  const phone = await person.call('POST', '/user/me/device', { platform, token, timeZone, language });
  const own = await staff.bruno('POST', `/investigation/${staff.study}/case`, { label, properties });
  const participant: Participant = { ...person, device: phone.identifier, case: own.identifier };
  connect(token, participant);
  return participant;
}

type Person = Record<'name' | 'timeZone' | 'code', string> & { properties: object };

async function accept(
  call: Call,
  { ada: owner, study }: Staff,
  { code, email, properties, ...who }: Person & { email: string },
) {
  await owner('POST', `/investigation/${study}/member`, { email, role: 'responder', code, properties });
  return { call, id: (await call('POST', '/user', who)).identifier as string };
}

async function enrol(past: Past, { ada: owner, study }: Staff, { code, properties, ...who }: Person) {
  const path = `/investigation/${study}`;
  const made = await owner('POST', `${path}/enrolment`, { label: 'Ward 3', uses: 20, properties });
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
