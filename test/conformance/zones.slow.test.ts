import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SqliteClient } from '../../src/platform/server/sqlite-client.ts';
import { clockOf } from '../../src/schedule/clocks.ts';
import { preview } from '../../src/schedule/preview.ts';
import { type Change, nextChange } from '../../src/schedule/yearly.ts';
import { tzRelease, zoneNames } from '../../src/schedule/zones.ts';
import { eventuallyPasses } from '../support/eventually.ts';
import { Random } from '../support/random.ts';
import { delayScheduled } from '../support/reminder-rows.ts';
import { draws, seed } from '../support/seed.ts';
import { open, runtimes, type Service } from './support/runtimes.ts';
import { settings } from './support/settings.ts';

/*
 * The rules of time zones come with Fieldbell: the three runtimes give the same instants, the newest, and an upgrade
 * reaches who it concerns on each of them.
 */
const services: Service[] = [];
const upgrades: Upgrade[] = [];

beforeAll(async () => {
  services.push(...(await Promise.all(runtimes.map((runtime) => open(runtime)))));
  for (const service of services)
    expect((await post(service, '/user', { name: 'Ada' }, await headersOf('ada'))).status).toBe(201);
  // Here, since sweeps come at full minutes of the clock: the other tests run meanwhile.
  upgrades.push(...(await Promise.all(services.map(upgrade))));
});

afterAll(() => Promise.all(services.map((service) => service.dispose())));

const { AUTH_ISSUER, AUTH_AUDIENCE, AUTH_SECRET } = settings('');

async function headersOf(name: string): Promise<Record<string, string>> {
  const token = await new SignJWT({ email: `${name}@example.org`, email_verified: true })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(AUTH_ISSUER)
    .setAudience(AUTH_AUDIENCE)
    .setSubject(name)
    .setExpirationTime('1 hour')
    .sign(new TextEncoder().encode(AUTH_SECRET));
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

async function post(service: Service, path: string, body: object, headers: Record<string, string>) {
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${service.url}${path}`, request);
  return { status: answer.status, text: await answer.text() };
}

async function get(service: Service, path: string, headers: Record<string, string> = {}) {
  return (await fetch(`${service.url}${path}`, { headers })).json();
}

/** The query of a preview, and the same as a body. */
interface Asked {
  timeZone: string;
  recurrence: string;
  from: string;
  count: number;
}

const notification = { subject: 'Diary', body: 'How are you?' };
const bodyOf = ({ recurrence, ...rest }: Asked) => ({
  ...rest,
  reminders: { type: 'rolling', recurrence, notification },
  startsOn: '2024-01-01',
});

/** The schedule in this process, in the form of the route. */
const expectedOf = ({ recurrence, from, ...rest }: Asked) =>
  JSON.stringify({
    occurrences: preview({
      ...rest,
      reminders: { type: 'rolling', recurrence, ends: null, delay: null },
      startsOn: '2024-01-01',
      from: Date.parse(from),
    }),
  });

const firstInstant = Date.parse('2024-01-01T00:00:00Z');
const lastInstant = Date.parse('2041-01-01T00:00:00Z');
const mostOccurrences = 400;
const weekMs = 7 * 24 * 3600_000;

function changesOf(timeZone: string): (Change & { before: number })[] {
  const { initial, changes, yearly } = clockOf(timeZone).zone;
  const all = [...changes];
  while (yearly && (all.at(-1)?.at ?? 0) < lastInstant)
    all.push(nextChange(yearly, all.at(-1)?.at ?? 0) as Change);
  return all
    .map((change, n) => ({ ...change, before: all[n - 1]?.offset ?? initial }))
    .filter(({ at }) => at >= firstInstant && at < lastInstant);
}

/** Each week on the day and at the time at which the zone's clocks change, for all the years; where they do not, some days. */
function questionsOf(timeZone: string): Asked[] {
  // The first time that is skipped, or comes twice.
  const walls = changesOf(timeZone).map(({ at, offset, before }) => new Date(at + Math.min(offset, before)));
  const recurrences = new Set(
    walls.map((wall) => `${wall.getUTCMinutes()} ${wall.getUTCHours()} * * ${wall.getUTCDay()}`),
  );
  if (recurrences.size === 0)
    return [{ timeZone, recurrence: '30 2 * * *', from: new Date(firstInstant).toISOString(), count: 10 }];
  const pages = Math.ceil((lastInstant - firstInstant) / weekMs / mostOccurrences);
  return [...recurrences].flatMap((recurrence) =>
    Array.from({ length: pages }, (_, page) => ({
      timeZone,
      recurrence,
      from: new Date(firstInstant + page * mostOccurrences * weekMs).toISOString(),
      count: mostOccurrences,
    })),
  );
}

const concurrency = 8;

/** The questions that the service answers in another way than expected. */
async function wrongAnswers(service: Service, questions: { asked: Asked; expected: string }[]) {
  const headers = await headersOf('ada');
  const left = [...questions];
  const wrong: string[] = [];
  const askNext = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { status, text } = await post(service, '/reminders/preview', bodyOf(next.asked), headers);
      if (status !== 200 || text !== next.expected)
        wrong.push(`${service.runtime}: ${JSON.stringify(next.asked)}: ${status} ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, askNext));
  return wrong;
}

test('all runtimes name the release', async () => {
  for (const service of services)
    expect(await get(service, '/health'), service.runtime).toEqual({ status: 'ok', zones: tzRelease });
});

test('around all changes of the clocks from 2024 to 2040, in zones and links that are drawn, all answers are the same', async () => {
  const random = new Random(seed);
  const drawn = zoneNames.filter(() => random.chance(draws(1) / 6));
  const questions = drawn.flatMap((zone, z) =>
    questionsOf(zone).map((asked, n, { length }) => ({
      asked,
      expected: expectedOf(asked),
      // In zones with clock changes, each runtime is asked about other years than the other two.
      runtimes: length === 1 ? runtimes : [runtimes[(z + n) % runtimes.length]],
    })),
  );
  // That it asks where it should: for many times that were skipped or came twice.
  const notes = questions.map(({ expected }) => expected.split('"note"').length - 1);
  expect(notes.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(200);
  const wrong = await Promise.all(
    services.map((service) =>
      wrongAnswers(
        service,
        questions.filter((question) => question.runtimes.includes(service.runtime)),
      ),
    ),
  );
  expect(wrong.flat()).toEqual([]);
});

const vancouver = 'America/Vancouver';
const hourMs = 3600_000;

interface Upgrade {
  service: Service;
  /** In Vancouver, whose clocks the upgrade changes, and in Paris. */
  people: Record<string, string>[];
  /** The pending row of each of them by the rules of this release. */
  planned: string[];
}

test('after an upgrade, who is in a changed zone is planned anew on each runtime without being asked, and nobody else’s reminders move', async () => {
  for (const { service, people, planned } of upgrades)
    await eventuallyPasses(async () =>
      expect(await pendingOfEach(service, people), service.runtime).toEqual(planned),
    );
});

/** Starts this release over the state that an older one leaves behind. */
async function upgrade(service: Service): Promise<Upgrade> {
  const study = await ownStudy(service);
  const people = [
    await member(service, study, 'chidi', vancouver),
    await member(service, study, 'dana', 'Europe/Paris'),
  ];
  const planned = await pendingOfEach(service, people);
  await service.end('SIGTERM');
  await planWithOlderRelease(service);
  await service.start();
  return { service, people, planned };
}

async function ownStudy(service: Service) {
  const headers = await headersOf('ada');
  const study = await post(service, '/investigation', { name: 'Sleep', timeZone: 'UTC' }, headers);
  const { identifier } = JSON.parse(study.text);
  // More than an hour ahead in both zones, for at least as long as the test takes.
  const hour = (new Date().getUTCHours() + 4) % 24;
  const reminders = { type: 'rolling', recurrence: `30 ${hour} * * *`, notification };
  const survey = { name: 'Diary', items: [{ identifier: 'q1', label: 'How?' }], reminders };
  expect((await post(service, `/investigation/${identifier}/survey`, survey, headers)).status).toBe(201);
  return identifier as string;
}

async function member(service: Service, study: string, name: string, timeZone: string) {
  const headers = await headersOf(name);
  const invited = { email: `${name}@example.org`, role: 'responder' };
  await post(service, `/investigation/${study}/member`, invited, await headersOf('ada'));
  expect((await post(service, '/user', { name }, headers)).status).toBe(201);
  const phone = { platform: 'android', token: `phone-of-${name}`, timeZone };
  expect((await post(service, '/user/me/device', phone, headers)).status).toBe(201);
  return headers;
}

const pendingOfEach = (service: Service, people: Upgrade['people']) =>
  Promise.all(people.map((headers) => pendingOf(service, headers)));

/** When the one pending notification is due. */
async function pendingOf(service: Service, headers: Record<string, string>): Promise<string> {
  const { notifications } = await get(service, '/user/me/notifications', headers);
  const pending = notifications.filter((row: { state: string }) => row.state === 'scheduled');
  expect(pending).toHaveLength(1);
  return pending[0].dueAt;
}

/** Leaves the database as a release would whose clocks in Vancouver were an hour behind. */
async function planWithOlderRelease({ folder }: Service) {
  const client = new SqliteClient(await databaseIn(folder));
  await client.execute({
    sql: "insert or replace into job_run (name, ran_at, after) values ('zones', 0, '2025b')",
    values: [],
  });
  const moved = await client.execute(delayScheduled(vancouver, hourMs));
  client.close();
  expect(moved.rows).toHaveLength(1);
}

/** The file of the process, or of workerd's D1 database. */
async function databaseIn(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name === 'fieldbell.db' || /D1DatabaseObject\/[0-9a-f]+\.sqlite$/.test(name),
  );
  expect(files).toHaveLength(1);
  return join(folder, files[0] as string);
}
