import type { AuthConfig } from '../../src/config.ts';
import { type Caller, signIn } from './api.ts';
import { demoStudy, diaryReminders } from './study.ts';

const { people, timeZone } = demoStudy;

export interface SeedOptions {
  url: string;
  auth: AuthConfig;
  /** Names of the configured platforms. */
  platforms: readonly string[];
  signal: AbortSignal;
}

/** The identifiers and addresses that a newcomer needs to try the demo study. */
export interface Demo {
  study: string;
  response: string;
  ownerToken: string;
  /** Links by which each person signs in to the console. */
  tokens: { name: string; token: string }[];
  /** A link that enrols whoever opens it; undefined without a key for participants. */
  enrolment: string | undefined;
  /** When the participant's next reminder is due (epoch ms), or why there is none. */
  reminder: { at: number } | { problem: string };
}

interface Item {
  identifier: string;
}
interface Named extends Item {
  name: string;
}
interface Labelled extends Item {
  label: string;
  status?: string;
}

/** The calls of a person, now or in a simulated past. */
type Person = Pick<Caller, 'call'>;
type Staff = Record<'owner' | 'editor' | 'monitor' | 'responder', Person>;

const { diary, weeks, ...laterSurveys } = demoStudy.surveys;

/**
 * Sets up the demo study, or its missing parts, through the API, with a reminder due in a moment. A second run adds
 * nothing. @throws an Error that names the refused call
 */
export async function seed(options: SeedOptions): Promise<Demo> {
  const owner = await signIn(options, people.owner);
  const editor = await signIn(options, people.editor);
  const monitor = await signIn(options, people.monitor);
  const responder = await signIn(options, people.responder);

  const { study, survey } = await setUpStudy({ owner, editor, monitor, responder });
  await addLaterSurveys(editor, study);
  const response = await findResponse(editor, study, survey);
  const reminder = await scheduleReminder({ owner, responder }, survey, options);
  const tokens = [
    { name: people.owner.name, token: owner.token },
    { name: people.editor.name, token: editor.token },
    { name: people.monitor.name, token: monitor.token },
    { name: people.responder.name, token: responder.token },
  ];
  const enrolment = await findEnrolment(owner, study);
  return { study, response, ownerToken: owner.token, tokens, enrolment, reminder };
}

/** The study with its staff, its first participant and their first answers: those parts that are missing. */
export async function setUpStudy({ owner, editor, monitor, responder }: Staff) {
  await signUp(owner, people.owner.name);
  const study = await findStudy(owner);
  const editorId = await signUp(editor, people.editor.name, { quietHours: people.editor.quietHours });
  const monitorId = await signUp(monitor, people.monitor.name);
  const responderId = await signUp(responder, people.responder.name);
  await addMember(owner, study, { user: editorId, role: 'editor' });
  await addMember(owner, study, { user: monitorId, role: 'monitor', scope: demoStudy.scope });
  await addMember(owner, study, { user: responderId, role: 'responder', properties: demoStudy.group });
  const survey = await findSurvey(editor, study, diary);
  const later = await findSurvey(editor, study, weeks);
  await addCases(editor, study);
  for (const id of [survey, later]) await responder.call('POST', `/survey/${id}/download`);
  await addResponses({ editor, responder }, study, survey);
  return { study, survey, weeks: later, responderId };
}

/** Surveys that remind often. */
export async function addLaterSurveys(editor: Person, study: string) {
  for (const survey of Object.values(laterSurveys)) await findSurvey(editor, study, survey);
}

/** Resolves with the user's identifier. */
const signUp = async (caller: Person, name: string, more: object = {}) =>
  (await caller.call<Item>('POST', '/user', { name, timeZone, ...more })).identifier;

async function findStudy(owner: Person): Promise<string> {
  const { investigations } = await owner.call<{ investigations: Named[] }>('GET', '/investigation');
  const found = investigations.find((study) => study.name === demoStudy.name);
  const body = { name: demoStudy.name, timeZone, properties: demoStudy.properties };
  return (found ?? (await owner.call<Item>('POST', '/investigation', body))).identifier;
}

/** Without a key for participants there are no codes: 404. */
async function findEnrolment(owner: Person, study: string): Promise<string | undefined> {
  type Code = { url: string; label?: string; state: string };
  const { label } = demoStudy.enrolment;
  const path = `/investigation/${study}/enrolment`;
  const { enrolments } = await owner.call<{ enrolments?: Code[] }>('GET', `${path}s`, undefined, [404]);
  const found = enrolments?.find((code) => code.label === label && code.state === 'open');
  if (!enrolments || found) return found?.url;
  return (await owner.call<Code>('POST', path, demoStudy.enrolment)).url;
}

/** 409: their role has been changed since. */
const addMember = (
  owner: Person,
  study: string,
  member: { user: string; role: string; properties?: object; scope?: object },
) => owner.call('POST', `/investigation/${study}/member`, member, [409]);

async function findSurvey(editor: Person, study: string, wanted: Omit<Named, 'identifier'>): Promise<string> {
  const { surveys } = await editor.call<{ surveys: Named[] }>('GET', `/investigation/${study}/surveys`);
  const found = surveys.find((survey) => survey.name === wanted.name);
  return (found ?? (await editor.call<Item>('POST', `/investigation/${study}/survey`, wanted))).identifier;
}

const listCases = async (caller: Person, study: string) =>
  (await caller.call<{ cases: Labelled[] }>('GET', `/investigation/${study}/cases?status=all`)).cases;

async function addCases(editor: Person, study: string): Promise<void> {
  const known = (await listCases(editor, study)).map((found) => found.label);
  for (const wanted of demoStudy.cases.filter(({ label }) => !known.includes(label)))
    await editor.call('POST', `/investigation/${study}/case`, wanted);
}

/** Adds the missing responses. */
async function addResponses(
  { editor, responder }: Pick<Staff, 'editor' | 'responder'>,
  study: string,
  survey: string,
) {
  const responses = await listResponses(editor, study, `survey=${survey}&limit=2`);
  // A locked case takes no new response.
  const open = (await listCases(editor, study)).filter(({ status }) => status === 'active');
  for (const items of demoStudy.answers.slice(responses.length)) {
    const { identifier } = open.shift() ?? {};
    if (identifier === undefined) break;
    await responder.call('POST', `/survey/${survey}/response`, { case: identifier, items });
  }
}

/** One that can be locked, or any. */
async function findResponse(editor: Person, study: string, survey: string): Promise<string> {
  const open = await listResponses(editor, study, `survey=${survey}&locked=false&limit=1`);
  const [first] = open.length > 0 ? open : await listResponses(editor, study, `survey=${survey}&limit=1`);
  if (!first) throw new Error('every case of the demo study is locked or archived, and none has a response');
  return first.identifier;
}

const listResponses = async (caller: Person, study: string, query: string) =>
  (await caller.call<{ responses: Item[] }>('GET', `/investigation/${study}/responses?${query}`)).responses;

/** The study works without a phone too: another SNS may lack the platform application. */
async function scheduleReminder(
  { owner, responder }: Pick<Staff, 'owner' | 'responder'>,
  survey: string,
  { platforms, signal }: SeedOptions,
): Promise<Demo['reminder']> {
  try {
    await registerPhone(responder, platforms);
  } catch (error) {
    signal.throwIfAborted();
    return { problem: `no phone could be registered: ${(error as Error).message}` };
  }
  await remindSoon(owner, survey);
  const path = `/survey/${survey}/reminders/upcoming?count=1`;
  const { occurrences } = await responder.call<{ occurrences: { dueAt: string }[] }>('GET', path);
  const [next] = occurrences;
  return next ? { at: Date.parse(next.dueAt) } : { problem: 'none is planned' };
}

async function registerPhone(responder: Person, platforms: readonly string[]): Promise<void> {
  const platform = platforms.includes('android') ? 'android' : platforms[0];
  if (platform === undefined) throw new Error('SNS_PLATFORM_APPLICATIONS names no platform');
  const phone = { platform, token: demoStudy.phoneToken, timeZone };
  await responder.call('POST', '/user/me/device', phone);
}

async function remindSoon(owner: Person, survey: string): Promise<void> {
  await owner.call('PATCH', `/survey/${survey}`, { reminders: diaryReminders(recurrenceSoon(Date.now())) });
}

/** Every day at the first full minute at least 20 s after `now` (epoch ms), in the study's time zone. */
export function recurrenceSoon(now: number): string {
  const minute = Math.ceil((now + 20_000) / 60_000) * 60_000;
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(minute);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return `${read('minute')} ${read('hour')} * * *`;
}
