import { reminders as remindersSchema } from '../../src/http/reminders.ts';
import type { People } from './people.ts';
import type { SimulatedRelay } from './push.ts';
import type { GivenReminders, MemberRecord, Phone, Records, SurveyRecord, Timeline } from './record.ts';
import type { Event } from './scenario.ts';
import { emailOf } from './tokens.ts';
import type { World } from './world.ts';

export interface Stage {
  world: World;
  people: People;
  relay: SimulatedRelay;
  records: Records;
}

type Deed<D extends Event['does']> = (stage: Stage, event: Extract<Event, { does: D }>) => Promise<void>;

/** Changes a record around a request: from the asking on it may hold, with the answer it does. */
async function change<T>(
  { world }: Stage,
  line: Timeline<T>,
  value: T,
  request: () => Promise<unknown>,
): Promise<boolean> {
  const before = line.last();
  const confirm = line.change(value, world.at());
  const done = (await request()) !== null;
  // Refused: it was never so.
  if (done) confirm(world.at());
  else line.change(before, Number.NEGATIVE_INFINITY)(world.at());
  return done;
}

const memberOf = ({ records }: Stage, name: string): MemberRecord => {
  const found = records.members.get(name);
  if (!found) throw new Error(`there is no member ${name}`);
  return found;
};

const surveyOf = ({ records }: Stage, name: string): SurveyRecord => {
  const found = records.surveys.get(name);
  if (!found) throw new Error(`there is no survey ${name}`);
  return found;
};

/** With what the application adds; what it will refuse stays as it is. */
export function normalised(given: GivenReminders): GivenReminders {
  const parsed = remindersSchema.safeParse(given);
  return parsed.success ? parsed.data : given;
}

const phoneOf = (member: MemberRecord, name: string) => member.phones.find((phone) => phone.name === name);

/** Registers or updates phones: the one seen last says where the member is. */
async function seePhones(
  stage: Stage,
  member: MemberRecord,
  phones: Phone[],
  request: () => Promise<unknown>,
) {
  const tokens = phones.map(({ token }) => token);
  const zone = phones.at(-1)?.timeZone ?? null;
  let done = false;
  await change(stage, member.away, zone, async () => {
    done = await change(stage, member.tokens, tokens, request);
    return done ? done : null;
  });
  if (done) member.phones = phones;
  return done;
}

/** Signs a member up, with what the study's file says of them. */
export async function signUp(
  stage: Stage,
  name: string,
  profile: { timeZone?: string | undefined; customRemindersTime?: string | undefined },
) {
  const member = memberOf(stage, name);
  const { timeZone, customRemindersTime } = profile;
  const answer = await stage.people.ask(name, 'POST', '/user', { name, timeZone, customRemindersTime });
  member.id = answer?.body.identifier ?? '';
  member.signedUp = answer !== null;
  const now = stage.world.at();
  if (timeZone) member.home.change(timeZone, now)(now);
  if (customRemindersTime) member.time.change(customRemindersTime, now)(now);
}

export async function join(stage: Stage, name: string) {
  const { records, people } = stage;
  const member = memberOf(stage, name);
  await change(stage, member.member, true, () =>
    people.ask(records.study.founder, 'POST', `/investigation/${records.study.id}/member`, {
      email: emailOf(name),
      role: member.role,
    }),
  );
}

export async function getPhone(
  stage: Stage,
  name: string,
  phone: Omit<Phone, 'id' | 'token'>,
  token?: string,
) {
  const member = memberOf(stage, name);
  const { platform, timeZone } = phone;
  const given = {
    platform,
    timeZone,
    token: token ?? `${name}-${platform}-${phone.name}`.replaceAll(/[^!-~]+/g, '-'),
  };
  const added: Phone = { ...phone, ...given, id: null };
  const others = member.phones.filter((one) => one.token !== given.token);
  await seePhones(stage, member, [...others, added], async () => {
    const answer = await stage.people.ask(name, 'POST', '/user/me/device', given);
    added.id = answer?.body.identifier ?? null;
    return answer;
  });
}

const patchStudy = (stage: Stage, who: string, body: object) =>
  stage.people.ask(who, 'PATCH', `/investigation/${stage.records.study.id}`, body);

const patchSurvey = (stage: Stage, who: string, survey: SurveyRecord, body: object) =>
  stage.people.ask(who, 'PATCH', `/survey/${survey.id}`, body);

async function patchPhone(stage: Stage, name: string, phone: Phone | undefined, update: Partial<Phone>) {
  if (!phone?.id) return;
  const member = memberOf(stage, name);
  const others = member.phones.filter((one) => one !== phone);
  await seePhones(stage, member, [...others, { ...phone, ...update }], () =>
    stage.people.ask(name, 'PATCH', `/device/${phone.id}`, update),
  );
}

const deeds: { [D in Event['does']]: Deed<D> } = {
  joins: (stage, { who }) => join(stage, who),
  async leaves(stage, { who }) {
    const { people, records } = stage;
    await change(stage, memberOf(stage, who).member, false, () =>
      people.ask(who, 'DELETE', `/investigation/${records.study.id}/member/me`),
    );
  },
  async 'deletes-account'(stage, { who }) {
    const member = memberOf(stage, who);
    const done = await change(stage, member.member, false, () =>
      seePhones(stage, member, [], () => stage.people.ask(who, 'DELETE', '/user/me')).then(
        (ok) => ok || null,
      ),
    );
    member.deleted ||= done;
  },
  async downloads({ people, ...stage }, { who, survey }) {
    await people.ask(who, 'POST', `/survey/${surveyOf({ people, ...stage }, survey).id}/download`);
  },
  async answers(stage, { who, survey: name }) {
    const { people, records, world } = stage;
    const survey = surveyOf(stage, name);
    const never = Number.POSITIVE_INFINITY;
    const answer = {
      survey: survey.id,
      from: world.at(),
      sure: never,
      fromNow: world.now(),
      sureNow: never,
    };
    const identifier = crypto.randomUUID().replaceAll('-', '');
    const study = `/investigation/${records.study.id}`;
    const found = await people.ask(who, 'POST', `${study}/case`, { label: `${name} of ${who}`, identifier });
    if (!found) return;
    memberOf(stage, who).answers.push(answer);
    const done = await people.ask(who, 'POST', `/survey/${survey.id}/response`, {
      case: identifier,
      items: {},
    });
    if (done) [answer.sure, answer.sureNow] = [world.at(), world.now()];
  },
  async travels(stage, { who, to }) {
    const member = memberOf(stage, who);
    const phone = member.phones.at(-1);
    if (phone) await patchPhone(stage, who, phone, { timeZone: to });
    else await deeds['moves-home'](stage, { who, to, does: 'moves-home', at: stage.world.at() });
  },
  async 'chooses-time'(stage, { who, time }) {
    await change(stage, memberOf(stage, who).time, time, () =>
      stage.people.ask(who, 'PATCH', '/user/me', { customRemindersTime: time }),
    );
  },
  async 'moves-home'(stage, { who, to }) {
    await change(stage, memberOf(stage, who).home, to, () =>
      stage.people.ask(who, 'PATCH', '/user/me', { timeZone: to }),
    );
  },
  async pauses(stage, { who, until }) {
    await change(stage, memberOf(stage, who).pausedUntil, until ?? Number.POSITIVE_INFINITY, () =>
      stage.people.ask(who, 'PUT', '/user/me/pause', {
        until: until === null ? null : new Date(until).toISOString(),
      }),
    );
  },
  async resumes(stage, { who }) {
    await change(stage, memberOf(stage, who).pausedUntil, null, () =>
      stage.people.ask(who, 'DELETE', '/user/me/pause'),
    );
  },
  'gets-phone': (stage, { who, phone }) => getPhone(stage, who, phone),
  async 'deletes-phone'(stage, { who, phone: name }) {
    const member = memberOf(stage, who);
    const phone = phoneOf(member, name);
    if (!phone?.id) return;
    const others = member.phones.filter((one) => one !== phone);
    await seePhones(stage, member, others, () => stage.people.ask(who, 'DELETE', `/device/${phone.id}`));
  },
  async 'uninstalls-app'(stage, { who, phone }) {
    const token = phoneOf(memberOf(stage, who), phone)?.token;
    if (token !== undefined) stage.relay.uninstall(token);
  },
  async 'takes-phone'(stage, { who, phone: name, of }) {
    const owner = memberOf(stage, of);
    const phone = phoneOf(owner, name);
    if (!phone || who === of) return;
    const { token, ...rest } = phone;
    await seePhones(
      stage,
      owner,
      owner.phones.filter((one) => one !== phone),
      async () => {
        await getPhone(stage, who, rest, token);
        return memberOf(stage, who).phones.some((one) => one.token === token) || null;
      },
    );
  },
  async 'new-token'(stage, { who, phone: name }) {
    const phone = phoneOf(memberOf(stage, who), name);
    if (phone) await patchPhone(stage, who, phone, { token: `${phone.token}+` });
  },
  async 'edits-reminders'(stage, { who, survey: name, reminders }) {
    const survey = surveyOf(stage, name);
    const before = survey.reminders.last();
    const given = normalised(reminders);
    // The server sees no change either, so this begins no new revision.
    const same = JSON.stringify(before.given) === JSON.stringify(given);
    const after = { revision: before.revision + (same ? 0 : 1), given };
    await change(stage, survey.reminders, after, () => patchSurvey(stage, who, survey, { reminders }));
  },
  async 'archives-survey'(stage, { who, survey: name }) {
    const survey = surveyOf(stage, name);
    await change(stage, survey.archived, true, () => patchSurvey(stage, who, survey, { status: 'archived' }));
  },
  async 'restores-survey'(stage, { who, survey: name }) {
    const survey = surveyOf(stage, name);
    await change(stage, survey.archived, false, () => patchSurvey(stage, who, survey, { status: 'active' }));
  },
  async 'changes-study'(stage, { who, startsOn, timeZone }) {
    const { study } = stage.records;
    await change(stage, study.startsOn, startsOn ?? study.startsOn.last(), () =>
      change(stage, study.timeZone, timeZone ?? study.timeZone.last(), () =>
        patchStudy(stage, who, { ...(startsOn && { startsOn }), ...(timeZone && { timeZone }) }),
      ).then((done) => done || null),
    );
  },
  async 'archives-study'(stage, { who }) {
    await change(stage, stage.records.study.archived, true, () =>
      patchStudy(stage, who, { status: 'archived' }),
    );
  },
  async 'restores-study'(stage, { who }) {
    await change(stage, stage.records.study.archived, false, () =>
      patchStudy(stage, who, { status: 'active' }),
    );
  },
};

/** Carries an event of the study's file out, by the front door. */
export function perform(stage: Stage, event: Event): void {
  // What touches another's phone or membership waits for both of them.
  const who = event.does === 'joins' ? stage.records.study.founder : event.who;
  const deed = deeds[event.does] as Deed<typeof event.does>;
  void stage.people.act(who, () => deed(stage, event as never)).catch(() => {});
}
