import { hexOf } from '../src/identifiers.ts';
import { reminders as remindersSchema } from '../src/reminders/reminder-shapes.ts';
import type { Context } from './context.ts';
import type { GivenTime } from './oracle/course.ts';
import { certain, open, report, requested, shownOn, snooze } from './phone-actions.ts';
import {
  type AnswerRecord,
  type GivenReminders,
  type MemberRecord,
  type Phone,
  type Records,
  type SurveyRecord,
  type Timeline,
  timeline,
} from './records.ts';
import type { Event, MemberSpec } from './scenario.ts';

type Action<D extends Event['does']> = (
  context: Context,
  event: Extract<Event, { does: D }>,
) => Promise<void>;

/** Records a change around its request: possible from the request on, certain from the answer on. */
async function change<T>(
  { world }: Context,
  line: Timeline<T>,
  value: T,
  request: () => Promise<unknown>,
): Promise<boolean> {
  const confirm = line.change(value, world.at());
  const done = (await request()) !== null;
  confirm(world.at(), done);
  return done;
}

type Go = () => Promise<unknown>;

/** Several changes of one request. */
async function changeAll(changes: ((go: Go) => Promise<boolean>)[], request: Go): Promise<boolean> {
  const all = changes.reduceRight<Go>((go, one) => () => one(go).then((done) => done || null), request);
  return (await all()) !== null;
}

const memberOf = ({ records }: Context, name: string): MemberRecord => {
  const found = records.members.get(name);
  if (!found) throw new Error(`there is no member ${name}`);
  return found;
};

const pauseOf = (context: Context, who: string, onlyStudy: boolean) => {
  const { pausedUntil, studyPausedUntil } = memberOf(context, who);
  return onlyStudy ? studyPausedUntil : pausedUntil;
};

const surveyOf = ({ records }: Context, name: string): SurveyRecord => {
  const found = records.surveys.get(name);
  if (!found) throw new Error(`there is no survey ${name}`);
  return found;
};

/** Reminders as they are sent: the survey of a trigger is given by its name. */
export function withIdentifiers({ surveys }: Records, given: GivenReminders): GivenReminders {
  const trigger = given?.trigger as { survey: string } | undefined;
  const survey = trigger && surveys.get(trigger.survey)?.id;
  return given && survey ? { ...given, trigger: { ...trigger, survey } } : given;
}

/** With the application's defaults. A refused setting stays as it was. */
export function normalised(given: GivenReminders): GivenReminders {
  const parsed = remindersSchema.safeParse(given);
  return parsed.success ? parsed.data : given;
}

const phoneOf = (member: MemberRecord, name: string) => member.phones.find((phone) => phone.name === name);

/**
 * Registers or updates phones. The zone that changed last decides the member's. Two people may take each other's phones at
 * once, so the resulting list is read again afterwards.
 */
async function seePhones(
  context: Context,
  member: MemberRecord,
  update: (phones: readonly Phone[]) => Phone[],
  request: () => Promise<unknown>,
) {
  const requested = update(member.phones);
  let done = false;
  await change(context, member.away, zoneOf(requested), async () => {
    done = await change(context, member.tokens, tokensOf(requested), request);
    return done ? done : null;
  });
  if (!done) return false;
  member.phones = update(member.phones);
  const now = context.world.at();
  if (tokensOf(member.phones).join() !== tokensOf(requested).join()) {
    member.tokens.change(tokensOf(member.phones), now)(now);
    member.away.change(zoneOf(member.phones), now)(now);
  }
  noteGone(member, now);
  return true;
}

/** The server passes over a phone without the app for the zone, once a push to it was refused. */
function noteGone({ phones, away }: MemberRecord, at: number) {
  if (phones.some(({ isGone }) => isGone))
    away.change(zoneOf(phones.filter(({ isGone }) => !isGone)) ?? zoneOf(phones), at);
}

const tokensOf = (phones: readonly Phone[]) => phones.map(({ token }) => token);
const zoneOf = (phones: readonly Phone[]) => phones.at(-1)?.timeZone ?? null;
const without =
  ({ token }: Pick<Phone, 'token'>) =>
  (phones: readonly Phone[]) =>
    phones.filter((one) => one.token !== token);

/** In the order of their zones: one that keeps its zone keeps its place. */
const withPhone =
  (token: string, phone: Phone) =>
  (phones: readonly Phone[]): Phone[] =>
    phones.some((one) => one.token === token && one.timeZone === phone.timeZone)
      ? phones.map((one) => (one.token === token ? phone : one))
      : [...without({ token })(phones), phone];

/** Signs a member up with the profile of the study's file. */
export async function signUp(
  context: Context,
  name: string,
  profile: Pick<MemberSpec, 'timeZone' | 'customRemindersTime' | 'quietHours'> | Record<string, never>,
) {
  const member = memberOf(context, name);
  const { timeZone, customRemindersTime, quietHours } = profile;
  const given = { name, timeZone, customRemindersTime, quietHours };
  const answer = await context.people.ask(name, 'POST', '/user', given);
  member.id = answer?.body.identifier ?? '';
  member.signedUp = answer !== null;
  const now = context.world.at();
  if (timeZone) member.home.change(timeZone, now)(now);
  if (customRemindersTime) member.time.change(customRemindersTime, now)(now);
  if (quietHours) member.quietHours.change(quietHours, now)(now);
}

/** Adds somebody to the study, with the properties of the study's file, or with those that they had before. */
export async function join(
  context: Context,
  name: string,
  { properties }: Pick<MemberSpec, 'properties'> = {},
) {
  const { records, people } = context;
  const member = memberOf(context, name);
  const { role, scope } = member;
  await changeAll(
    [(go) => change(context, member.properties, properties ?? member.properties.last(), go)],
    () =>
      change(context, member.member, true, () =>
        people.ask(records.study.founder, 'POST', `/investigation/${records.study.id}/member`, {
          ...{ user: member.id, role },
          ...(properties && { properties }),
          ...(scope && { scope }),
        }),
      ).then((done) => done || null),
  );
}

/** Sets properties of a member, who has the others still. */
async function changeProperties(
  context: Context,
  { who, of, properties }: Extract<Event, { does: 'changes-properties' }>,
) {
  const member = memberOf(context, of);
  const after = Object.entries({ ...member.properties.last(), ...properties });
  const path = `/investigation/${context.records.study.id}/member/${member.id}`;
  await change(
    context,
    member.properties,
    Object.fromEntries(after.filter((one): one is [string, string] => one[1] !== null)),
    () => context.people.ask(who, 'PATCH', path, { properties }),
  );
}

export async function getPhone(
  context: Context,
  name: string,
  phone: Omit<Phone, 'id' | 'token'>,
  token?: string,
) {
  const member = memberOf(context, name);
  const { platform, timeZone } = phone;
  const given = {
    platform,
    timeZone,
    token: token ?? `${name}-${platform}-${phone.name}`.replaceAll(/[^!-~]+/g, '-'),
  };
  const added: Phone = { ...phone, ...given, id: null };
  await seePhones(context, member, withPhone(given.token, added), async () => {
    const answer = await context.people.ask(name, 'POST', '/user/me/device', given);
    added.id = answer?.body.identifier ?? null;
    return answer;
  });
}

const courseChanges = (
  context: Context,
  { dates, participation }: Pick<MemberRecord, 'dates' | 'participation'>,
  newDates: Readonly<Record<string, string>>,
  newTime: GivenTime,
) => [
  (go: Go) => change(context, dates, newDates, go),
  (go: Go) => change(context, participation, newTime, go),
];

/** Sets a member's dates, and their time. */
export async function moveDates(
  context: Context,
  {
    who,
    of,
    dates = {},
    participation,
  }: Pick<Extract<Event, { does: 'moves-dates' }>, 'who' | 'of'> &
    Pick<MemberSpec, 'dates' | 'participation'>,
) {
  const member = memberOf(context, of);
  const after = Object.entries({ ...member.dates.last(), ...dates }).filter(([, date]) => date !== null);
  const newDates = Object.fromEntries(after) as Record<string, string>;
  const newTime = participation === undefined ? member.participation.last() : participation;
  const path = `/investigation/${context.records.study.id}/member/${member.id}`;
  await changeAll(courseChanges(context, member, newDates, newTime), () =>
    context.people.ask(who, 'PATCH', path, { dates, ...(participation !== undefined && { participation }) }),
  );
}

const patchStudy = (context: Context, who: string, body: object) =>
  context.people.ask(who, 'PATCH', `/investigation/${context.records.study.id}`, body);

const putFreeze = (context: Context, who: string, status: 'frozen' | 'active') =>
  context.people.ask(who, 'POST', `/investigation/${context.records.study.id}/freeze`, {
    status,
    reason: 'As the script says',
  });

const patchSurvey = (context: Context, who: string, survey: SurveyRecord, body: object) =>
  context.people.ask(who, 'PATCH', `/survey/${survey.id}`, body);

async function patchPhone(context: Context, name: string, phone: Phone | undefined, update: Partial<Phone>) {
  if (!phone?.id) return;
  const member = memberOf(context, name);
  const updated = { ...phone, ...update, ...(update.token !== undefined && { isGone: false }) };
  await seePhones(context, member, withPhone(phone.token, updated), () =>
    context.people.ask(name, 'PATCH', `/device/${phone.id}`, update),
  );
}

/** The same in each run, as the process's randomness is. */
const newIdentifier = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

/** One of a member's answers to a survey, counted back from the last one. */
function answerOf(context: Context, { who, survey, nth }: { who: string; survey: string; nth: number }) {
  const { id } = surveyOf(context, survey);
  return memberOf(context, who)
    .answers.filter((one) => one.survey === id)
    .at(-1 - nth);
}

const deleteAnswer = (
  { people, records }: Context,
  who: string,
  { id }: AnswerRecord,
  status: 'deleted' | 'active',
) =>
  people.ask(who, 'POST', `/investigation/${records.study.id}/delete-items`, {
    responses: [{ identifier: id }],
    status,
  });

const actions: { [D in Event['does']]: Action<D> } = {
  joins: (context, { who }) => join(context, who),
  async leaves(context, { who }) {
    const { people, records } = context;
    const { member, studyPausedUntil, dates, participation } = memberOf(context, who);
    const leave = () => people.ask(who, 'DELETE', `/investigation/${records.study.id}/member/me`);
    await changeAll(
      [
        (go) => change(context, studyPausedUntil, null, go),
        ...courseChanges(context, { dates, participation }, {}, null),
      ],
      () => change(context, member, false, leave).then((done) => done || null),
    );
  },
  async 'deletes-account'(context, { who }) {
    const member = memberOf(context, who);
    const done = await change(context, member.member, false, () =>
      seePhones(
        context,
        member,
        () => [],
        () => context.people.ask(who, 'DELETE', '/user/me'),
      ).then((ok) => ok || null),
    );
    member.deleted ||= done;
  },
  async downloads({ people, ...context }, { who, survey }) {
    await people.ask(who, 'POST', `/survey/${surveyOf({ people, ...context }, survey).id}/download`);
  },
  async answers(context, { who, survey: name, q1, minutesAgo, names }) {
    const { people, records, world } = context;
    const survey = surveyOf(context, name);
    const study = `/investigation/${records.study.id}`;
    const given = { label: `${name} of ${who}`, identifier: newIdentifier() };
    const found = await people.ask(who, 'POST', `${study}/case`, given);
    if (!found) return;
    const at = world.now() - minutesAgo * 60_000;
    const items: Record<string, string> = q1 === '' ? {} : { q1 };
    const id = newIdentifier();
    const [notification] = names ? shownOn(context, memberOf(context, who), survey) : [];
    const answer: AnswerRecord = {
      survey: survey.id,
      id,
      body: {
        identifier: id,
        case: given.identifier,
        items,
        ...(minutesAgo > 0 && { at: new Date(at).toISOString() }),
        ...(notification !== undefined && { notification }),
      },
      items: timeline(items),
      deleted: timeline(false),
      ...requested(world),
      ...(minutesAgo > 0 && { fromNow: at }),
    };
    const { answers, named } = memberOf(context, who);
    answers.push(answer);
    if (notification !== undefined) named.add(id);
    const done = await people.ask(who, 'POST', `/survey/${survey.id}/response`, answer.body);
    // Also one that is set aside, which triggers nothing.
    if (!done || done.status === 202) answers.splice(answers.indexOf(answer), 1);
    else Object.assign(answer, certain(world), minutesAgo > 0 && { sureNow: at });
  },
  async 'edits-answer'(context, { q1, ...event }) {
    const answer = answerOf(context, event);
    if (!answer) return;
    const items = { q1 };
    await change(context, answer.items, items, () =>
      context.people.ask(event.who, 'PATCH', `/response/${answer.id}`, { items }),
    );
  },
  async 'deletes-answer'(context, event) {
    const answer = answerOf(context, event);
    if (!answer) return;
    await change(context, answer.deleted, true, () => deleteAnswer(context, event.who, answer, 'deleted'));
  },
  async 'restores-answer'(context, event) {
    const answer = answerOf(context, event);
    const { founder } = context.records.study;
    if (!answer) return;
    await change(context, answer.deleted, false, () => deleteAnswer(context, founder, answer, 'active'));
  },
  async 'repeats-answer'(context, event) {
    const answer = answerOf(context, event);
    if (answer) await context.people.ask(event.who, 'POST', `/survey/${answer.survey}/response`, answer.body);
  },
  opens: (context, { who, survey }) => open(context, memberOf(context, who), surveyOf(context, survey)),
  snoozes: (context, { who, survey, ...asked }) =>
    snooze(context, memberOf(context, who), surveyOf(context, survey), asked),
  reports: (context, { who }) => report(context, memberOf(context, who)),
  async travels(context, { who, to }) {
    const member = memberOf(context, who);
    const phone = member.phones.at(-1);
    if (phone) await patchPhone(context, who, phone, { timeZone: to });
    else await actions['moves-home'](context, { who, to, does: 'moves-home', at: context.world.at() });
  },
  async 'chooses-time'(context, { who, time }) {
    await change(context, memberOf(context, who).time, time, () =>
      context.people.ask(who, 'PATCH', '/user/me', { customRemindersTime: time }),
    );
  },
  async 'chooses-quiet-hours'(context, { who, quietHours }) {
    await change(context, memberOf(context, who).quietHours, quietHours, () =>
      context.people.ask(who, 'PATCH', '/user/me', { quietHours }),
    );
  },
  async 'moves-home'(context, { who, to }) {
    await change(context, memberOf(context, who).home, to, () =>
      context.people.ask(who, 'PATCH', '/user/me', { timeZone: to }),
    );
  },
  async pauses(context, { who, until, onlyStudy }) {
    await change(context, pauseOf(context, who, onlyStudy), until ?? Number.POSITIVE_INFINITY, () =>
      context.people.ask(who, 'PUT', '/user/me/pause', {
        until: until === null ? null : new Date(until).toISOString(),
        ...(onlyStudy && { investigation: context.records.study.id }),
      }),
    );
  },
  async resumes(context, { who, onlyStudy }) {
    const query = onlyStudy ? `?investigation=${context.records.study.id}` : '';
    await change(context, pauseOf(context, who, onlyStudy), null, () =>
      context.people.ask(who, 'DELETE', `/user/me/pause${query}`),
    );
  },
  'gets-phone': (context, { who, phone }) => getPhone(context, who, phone),
  async 'deletes-phone'(context, { who, phone: name }) {
    const member = memberOf(context, who);
    const phone = phoneOf(member, name);
    if (!phone?.id) return;
    await seePhones(context, member, without(phone), () =>
      context.people.ask(who, 'DELETE', `/device/${phone.id}`),
    );
  },
  async 'uninstalls-app'(context, { who, phone }) {
    const member = memberOf(context, who);
    const found = phoneOf(member, phone);
    if (!found) return;
    context.relay.uninstall(found.token);
    found.isGone = true;
    noteGone(member, context.world.at());
  },
  async 'takes-phone'(context, { who, phone: name, of }) {
    const owner = memberOf(context, of);
    const phone = phoneOf(owner, name);
    if (!phone || who === of) return;
    const { token, ...rest } = phone;
    await seePhones(context, owner, without(phone), async () => {
      await getPhone(context, who, rest, token);
      return memberOf(context, who).phones.some((one) => one.token === token) || null;
    });
  },
  async 'new-token'(context, { who, phone: name }) {
    const phone = phoneOf(memberOf(context, who), name);
    if (phone) await patchPhone(context, who, phone, { token: `${phone.token}+` });
  },
  async 'edits-reminders'(context, { who, survey: name, reminders, again }) {
    const survey = surveyOf(context, name);
    const before = survey.reminders.last();
    const sent = withIdentifiers(context.records, reminders);
    const given = normalised(sent);
    // The server sees no change either, so this begins no new revision.
    const same = JSON.stringify(before.given) === JSON.stringify(given);
    const after = same ? before : { revision: before.revision + 1, given, again };
    const body = { reminders: sent, ...(again && { again }) };
    await change(context, survey.reminders, after, () => patchSurvey(context, who, survey, body));
  },
  async 'archives-survey'(context, { who, survey: name }) {
    const survey = surveyOf(context, name);
    await change(context, survey.archived, true, () =>
      patchSurvey(context, who, survey, { status: 'archived' }),
    );
  },
  async 'restores-survey'(context, { who, survey: name }) {
    const survey = surveyOf(context, name);
    await change(context, survey.archived, false, () =>
      patchSurvey(context, who, survey, { status: 'active' }),
    );
  },
  async 'changes-study'(context, { who, startsOn, timeZone, participationDays: days }) {
    const { study } = context.records;
    await changeAll(
      [
        (go) => change(context, study.startsOn, startsOn ?? study.startsOn.last(), go),
        (go) =>
          change(
            context,
            study.participationDays,
            days === undefined ? study.participationDays.last() : days,
            go,
          ),
      ],
      () =>
        change(context, study.timeZone, timeZone ?? study.timeZone.last(), () =>
          patchStudy(context, who, {
            ...(startsOn && { startsOn }),
            ...(timeZone && { timeZone }),
            ...(days !== undefined && { participationDays: days }),
          }),
        ).then((done) => done || null),
    );
  },
  'moves-dates': (context, event) => moveDates(context, event),
  'changes-properties': changeProperties,
  async 'changes-for'(context, { who, survey: name, for: rule }) {
    const survey = surveyOf(context, name);
    await change(context, survey.for, rule, () => patchSurvey(context, who, survey, { for: rule }));
  },
  async 'archives-study'(context, { who }) {
    await change(context, context.records.study.archived, true, () =>
      patchStudy(context, who, { status: 'archived' }),
    );
  },
  async 'restores-study'(context, { who }) {
    await change(context, context.records.study.archived, false, () =>
      patchStudy(context, who, { status: 'active' }),
    );
  },
  async 'freezes-study'(context, { who }) {
    await change(context, context.records.study.frozen, true, () => putFreeze(context, who, 'frozen'));
  },
  async 'unfreezes-study'(context, { who }) {
    await change(context, context.records.study.frozen, false, () => putFreeze(context, who, 'active'));
  },
};

/** Carries out an event of the study's file over HTTP. */
export function perform(context: Context, event: Event): void {
  // The founder adds members.
  const who = event.does === 'joins' ? context.records.study.founder : event.who;
  const action = actions[event.does] as Action<typeof event.does>;
  void context.people.act(who, () => action(context, event as never)).catch(() => {});
}
