import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newIdentifier } from '../../src/identifiers.ts';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { enrol, newCode, participantOf } from '../support/participants.ts';
import { type Call, created, type Person, signedIn } from '../support/people.ts';
import { inDays, newProgram } from '../support/programs.ts';
import { diary, lock, newCase, newMember, newResponse, responseIn } from '../support/studies.ts';
import { easyPush, newApp, watchedDb } from '../support/worker/apps.ts';
import { later } from '../support/worker/clock.ts';
import { jobsDone } from '../support/worker/reminders.ts';
import { newSetAside } from '../support/worker/set-asides.ts';
import { dumpTables, restoreTables, type Tables } from '../support/worker/tables.ts';
import { signUp, sleepStudy, stranger, world } from '../support/worker/world.ts';
import { markedStudy } from './support/marked-people.ts';

/** The resources that a request may name. All of them are of one study, and of Chidi, who takes part in it. */
interface Named {
  study: string;
  survey: string;
  case: string;
  response: string;
  user: string;
  device: string;
  webhook: string;
  /** A code of many uses, and somebody who enrolled by it. */
  enrolment: string;
  code: string;
  participant: string;
  /** An answer that is set aside. */
  setAside: string;
  /** A program that reads the study. */
  program: string;
}

/** The callers. Chidi asks for his own; Dana takes part too, and asks for Chidi's. */
const callers = [
  'owner',
  'editor',
  'monitor',
  "responder of another's item",
  'responder of their own',
  'member of another study',
  'signed-up stranger',
  'not signed up',
  'no token',
  'participant by a code',
  'program',
  'editor of Lyon',
  'monitor of Lyon',
  'editor of Paris',
  'monitor of Paris',
] as const;
type Caller = (typeof callers)[number];
const asResponder: Caller = "responder of another's item";

type Statuses = readonly [number, number, number, number, number, number, number, number, number];

interface Line {
  /** The body sent to the route; `by` is the sender. */
  send: (named: Named, by: Caller) => Call & { path: string };
  /** The statuses that `callers` get, in their order, up to the one without a token. */
  gets: Statuses;
  /** The status that they get, if not that of another responder: they can do no more anywhere. */
  participant?: number;
  /** The act reaches beyond the part of a study that somebody sees: editors of a part get 403. */
  wide?: true;
  /** The request names things of Lyon: what an editor and a monitor of Paris get, if they get something else. */
  paris?: readonly [editor: number, monitor: number];
  /** A POST that changes nothing even when it is allowed. */
  pure?: true;
  /** A GET that is an entry of the log when staff send it. */
  logged?: true;
  /**
   * The answer names owners and editors to those who take part. Nobody else is ever named to people who are neither, but they
   * themselves.
   */
  namesStaff?: true;
}

const everywhere = (status: number) => Array(9).fill(status) as unknown as Statuses;
const open = everywhere(200);
const nowhere = everywhere(404);
const outside = [404, 404, 403, 401] as const;
const member = (status: number, monitor = status): Statuses => [
  status,
  status,
  monitor,
  status,
  status,
  ...outside,
];
const visible = (status: number, monitor = status): Statuses => [
  status,
  status,
  monitor,
  404,
  status,
  ...outside,
];
const staff = (status: number): Statuses => [status, status, status, 403, 403, ...outside];
const editors = (status: number): Statuses => [status, status, 403, 403, 403, ...outside];
const owners = (status: number): Statuses => [status, 403, 403, 403, 403, ...outside];
const self = (status: number): Statuses => [403, 403, 403, 404, status, ...outside];
const apart = [404, 404] as const;
const own = (status: number): Statuses => [404, 404, 404, 404, status, ...outside];
const signedUp = (status: number): Statuses => [
  status,
  status,
  status,
  status,
  status,
  status,
  status,
  403,
  401,
];

const at = (path: string) => ({ path });
const reminders = {
  type: 'rolling',
  recurrence: '30 21 * * *',
  notification: { subject: 'Diary', body: 'How was your night?' },
};
const items = (named: Named, status: string) => ({
  cases: [{ identifier: named.case }],
  responses: [{ identifier: named.response }],
  status,
});

const table: Record<string, Line> = {
  'GET /health': { send: () => at('/health'), gets: open },
  'GET /health/ready': { send: () => at('/health/ready'), gets: open },
  // It takes a token of its own, and without a configured one it does not exist.
  'GET /metrics': { send: () => at('/metrics'), gets: nowhere },
  'GET /openapi.json': { send: () => at('/openapi.json'), gets: open },
  'GET /': { send: () => at('/'), gets: everywhere(307) },
  'GET /p': { send: () => at('/p'), gets: everywhere(307) },
  'GET /p/': { send: () => at('/p/'), gets: open },
  'GET /docs': { send: () => at('/docs'), gets: everywhere(307) },
  'GET /problems/:code': { send: () => at('/problems/item.locked'), gets: open },
  // Without a configured topic the route does not exist; its messages are signed, and it takes no token.
  'POST /relay/events': {
    send: () => ({ ...at('/relay/events'), body: { Type: 'Notification' } }),
    gets: nowhere,
  },

  'POST /user': {
    send: () => ({ ...at('/user'), body: { name: 'Anew' } }),
    gets: [200, 200, 200, 200, 200, 200, 200, 201, 401],
    participant: 403,
    pure: true,
    namesStaff: true,
  },
  'POST /user/me/token': {
    send: () => at('/user/me/token'),
    gets: [403, 403, 403, 403, 403, 403, 403, 403, 401],
    participant: 200,
    pure: true,
  },
  'POST /user/me/relink': {
    send: () => at('/user/me/relink'),
    gets: [403, 403, 403, 403, 403, 403, 403, 403, 401],
    participant: 201,
  },
  'DELETE /user/me/tokens': {
    send: () => at('/user/me/tokens'),
    gets: [403, 403, 403, 403, 403, 403, 403, 403, 401],
    participant: 204,
  },
  'POST /enrol/about': {
    send: ({ code }) => ({ ...at('/enrol/about'), body: { code } }),
    gets: open,
    pure: true,
  },
  'POST /enrol': {
    send: ({ code }) => ({ ...at('/enrol'), body: { code } }),
    gets: everywhere(201),
  },
  'POST /investigation/:id/enrolment': {
    send: ({ study }) => ({ ...at(`/investigation/${study}/enrolment`), body: {} }),
    gets: editors(201),
  },
  'GET /investigation/:id/enrolments': {
    send: ({ study }) => at(`/investigation/${study}/enrolments`),
    gets: editors(200),
  },
  'GET /enrolment/:id': {
    send: ({ enrolment }) => at(`/enrolment/${enrolment}`),
    gets: editors(200),
    paris: apart,
  },
  'GET /enrolment/:id/qr': {
    send: ({ enrolment }) => at(`/enrolment/${enrolment}/qr`),
    gets: editors(200),
    paris: apart,
  },
  'DELETE /enrolment/:id': {
    send: ({ enrolment }) => at(`/enrolment/${enrolment}`),
    gets: editors(204),
    paris: apart,
  },
  'POST /investigation/:id/member/:user/relink': {
    send: ({ study, participant }) => at(`/investigation/${study}/member/${participant}/relink`),
    gets: editors(201),
    paris: [404, 403],
  },
  'GET /user/:id': {
    send: ({ user }) => at(`/user/${user}`),
    gets: visible(200),
    namesStaff: true,
    paris: apart,
  },
  'PATCH /user/:id': {
    send: ({ user }) => ({ ...at(`/user/${user}`), body: { name: 'Mallory', customRemindersTime: '07:00' } }),
    gets: self(200),
    paris: apart,
  },
  'DELETE /user/:id': { send: ({ user }) => at(`/user/${user}`), gets: self(204), paris: apart },
  'GET /user/:id/avatar': { send: ({ user }) => at(`/user/${user}/avatar`), gets: open },
  'PUT /user/:id/pause': {
    send: ({ user }) => ({ ...at(`/user/${user}/pause`), body: { until: '2027-04-01T00:00:00Z' } }),
    gets: self(200),
    paris: apart,
  },
  'DELETE /user/:id/pause': { send: ({ user }) => at(`/user/${user}/pause`), gets: self(204), paris: apart },
  'GET /user/:id/invitations': {
    send: ({ user }) => at(`/user/${user}/invitations`),
    gets: self(200),
    paris: apart,
    namesStaff: true,
  },
  'POST /user/:id/invitations/:investigation/accept': {
    send: ({ user, study }) => at(`/user/${user}/invitations/${study}/accept`),
    gets: self(200),
    paris: apart,
  },
  'POST /user/:id/invitations/:investigation/decline': {
    send: ({ user, study }) => at(`/user/${user}/invitations/${study}/decline`),
    gets: self(204),
    paris: apart,
  },
  'GET /user/:id/agenda': { send: ({ user }) => at(`/user/${user}/agenda`), gets: self(200), paris: apart },
  'GET /user/:id/notifications': {
    send: ({ user }) => at(`/user/${user}/notifications`),
    gets: self(200),
    paris: apart,
  },
  'GET /user/:id/time-zones': {
    send: ({ user }) => at(`/user/${user}/time-zones`),
    gets: visible(200),
    paris: apart,
  },
  'GET /user/:id/export': { send: ({ user }) => at(`/user/${user}/export`), gets: self(200), paris: apart },
  'GET /user/:id/devices': { send: ({ user }) => at(`/user/${user}/devices`), gets: self(200), paris: apart },
  'POST /user/:id/device': {
    send: ({ user }) => ({
      ...at(`/user/${user}/device`),
      body: { platform: 'ios', token: 'a-new-phone', timeZone: 'Asia/Tokyo' },
    }),
    gets: self(201),
    paris: apart,
  },
  // Nobody knows it: the tests of receipts say what each caller may do with one.
  'GET /notification/:id': { send: ({ device }) => at(`/notification/${device}`), gets: signedUp(404) },
  'POST /notification/:id/receipt': {
    send: ({ device }) => ({ ...at(`/notification/${device}/receipt`), body: { event: 'shown' } }),
    gets: signedUp(404),
  },
  'POST /user/me/receipts': {
    send: ({ device }) => ({
      ...at('/user/me/receipts'),
      body: { receipts: [{ notification: device, event: 'shown', at: '2027-03-01T00:00:00Z' }] },
    }),
    gets: signedUp(200),
    pure: true,
  },
  'POST /notification/:id/snooze': {
    send: ({ device }) => ({ ...at(`/notification/${device}/snooze`), body: { minutes: 5 } }),
    gets: signedUp(404),
  },
  'GET /device/:id': { send: ({ device }) => at(`/device/${device}`), gets: own(200) },
  'PATCH /device/:id': {
    send: ({ device }) => ({ ...at(`/device/${device}`), body: { timeZone: 'Asia/Tokyo' } }),
    gets: own(200),
  },
  'DELETE /device/:id': { send: ({ device }) => at(`/device/${device}`), gets: own(204) },
  'POST /device/:id/test': {
    send: ({ device }) => at(`/device/${device}/test`),
    gets: own(202),
    pure: true,
  },

  'GET /investigation': { send: () => at('/investigation'), gets: signedUp(200) },
  'POST /investigation': {
    send: () => ({ ...at('/investigation'), body: { name: 'Dreams' } }),
    gets: signedUp(201),
    participant: 403,
  },
  'GET /investigation/:id': { send: ({ study }) => at(`/investigation/${study}`), gets: member(200) },
  'PATCH /investigation/:id': {
    send: ({ study }) => ({ ...at(`/investigation/${study}`), body: { name: 'Mine', status: 'archived' } }),
    gets: owners(200),
  },
  // It is not archived, which `study-deletions` tests.
  'DELETE /investigation/:id': { send: ({ study }) => at(`/investigation/${study}`), gets: owners(409) },
  'POST /investigation/:id/restore': {
    send: ({ study }) => at(`/investigation/${study}/restore`),
    gets: owners(200),
    pure: true,
  },
  'GET /investigation/:id/members': {
    send: ({ study }) => at(`/investigation/${study}/members`),
    gets: member(200),
    namesStaff: true,
  },
  'POST /investigation/:id/member': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/member`),
      body: { email: 'zoe@example.org', role: 'owner' },
    }),
    gets: owners(201),
  },
  'GET /investigation/:id/member/:user': {
    send: ({ study, user }) => at(`/investigation/${study}/member/${user}`),
    gets: staff(200),
    paris: apart,
  },
  'PATCH /investigation/:id/member/:user': {
    send: ({ study, user }) => ({ ...at(`/investigation/${study}/member/${user}`), body: { role: 'owner' } }),
    gets: [200, 403, 403, 404, 403, ...outside],
    paris: apart,
  },
  'POST /investigation/:id/members/dates': {
    send: ({ study, user }) => ({
      ...at(`/investigation/${study}/members/dates`),
      body: { members: [{ user, participation: { from: '2027-03-01' } }] },
    }),
    gets: editors(200),
    paris: [404, 403],
  },
  'DELETE /investigation/:id/member/:user': {
    send: ({ study, user }) => at(`/investigation/${study}/member/${user}`),
    gets: [204, 403, 403, 404, 204, ...outside],
    paris: apart,
  },

  'GET /investigation/:id/cases': {
    send: ({ study }) => at(`/investigation/${study}/cases`),
    gets: member(200),
    namesStaff: true,
  },
  'POST /investigation/:id/case': {
    send: ({ study }) => ({ ...at(`/investigation/${study}/case`), body: { label: 'Night 2' } }),
    gets: member(201, 403),
  },
  'GET /case/:id': {
    send: (named) => at(`/case/${named.case}`),
    gets: visible(200),
    paris: apart,
    namesStaff: true,
  },
  'PATCH /case/:id': {
    send: (named) => ({ ...at(`/case/${named.case}`), body: { label: 'Changed' } }),
    gets: visible(200, 403),
    paris: apart,
  },

  'GET /investigation/:id/surveys': {
    send: ({ study }) => at(`/investigation/${study}/surveys`),
    gets: member(200),
  },
  'POST /investigation/:id/survey': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/survey`),
      body: { name: 'Naps', items: diary, reminders },
    }),
    gets: editors(201),
    wide: true,
  },
  'GET /survey/:id/items': {
    send: ({ survey }) => at(`/survey/${survey}/items?at=2027-03-01T00:00:00Z`),
    gets: member(200),
  },
  'GET /investigation/:id/codebook': {
    send: ({ study }) => at(`/investigation/${study}/codebook`),
    gets: staff(200),
  },
  'GET /survey/:id/answer-counts': {
    send: ({ survey }) => at(`/survey/${survey}/answer-counts`),
    gets: staff(200),
  },
  'GET /survey/:id': { send: ({ survey }) => at(`/survey/${survey}`), gets: member(200) },
  'PATCH /survey/:id': {
    send: ({ survey }) => ({ ...at(`/survey/${survey}`), body: { name: 'Naps', reminders } }),
    gets: editors(200),
    wide: true,
  },
  'POST /survey/:id/download': {
    send: ({ survey }) => at(`/survey/${survey}/download`),
    gets: member(200, 403),
  },
  'GET /survey/:id/reminders/upcoming': {
    send: ({ survey, user }) => at(`/survey/${survey}/reminders/upcoming?user=${user}`),
    gets: [200, 200, 200, 403, 200, ...outside],
    paris: apart,
  },
  'POST /survey/:id/reminders/change': {
    send: ({ survey }) => ({ ...at(`/survey/${survey}/reminders/change`), body: { reminders } }),
    gets: staff(200),
    pure: true,
  },
  'GET /survey/:id/reminders/reach': {
    send: ({ survey }) => at(`/survey/${survey}/reminders/reach`),
    gets: staff(200),
  },
  'GET /survey/:id/notifications': {
    send: ({ survey, user }) => at(`/survey/${survey}/notifications?user=${user}`),
    gets: staff(200),
    paris: apart,
  },
  'GET /investigation/:id/notifications': {
    send: ({ study, user }) => at(`/investigation/${study}/notifications?user=${user}`),
    gets: staff(200),
    paris: apart,
  },
  'POST /reminders/preview': {
    send: () => ({
      ...at('/reminders/preview'),
      body: { reminders, timeZone: 'Europe/Paris', startsOn: '2027-03-01' },
    }),
    gets: signedUp(200),
    pure: true,
  },

  'GET /investigation/:id/responses': {
    send: ({ study }) => at(`/investigation/${study}/responses`),
    gets: member(200),
  },
  // A responder may answer for any case whose identifier they were given.
  'POST /survey/:id/response': {
    send: (named) => ({
      ...at(`/survey/${named.survey}/response`),
      body: { case: named.case, items: { q1: 'so' } },
    }),
    gets: member(201, 403),
    paris: [404, 403],
  },
  'GET /investigation/:id/set-aside': {
    send: ({ study }) => at(`/investigation/${study}/set-aside`),
    gets: staff(200),
  },
  'POST /set-aside/:id/place': {
    send: (named) => ({ ...at(`/set-aside/${named.setAside}/place`), body: { case: named.case } }),
    gets: editors(201),
    paris: apart,
  },
  'POST /set-aside/:id/discard': {
    send: ({ setAside }) => ({ ...at(`/set-aside/${setAside}/discard`), body: {} }),
    gets: editors(204),
    paris: apart,
  },
  'GET /response/:id': {
    send: ({ response }) => at(`/response/${response}`),
    gets: visible(200),
    paris: apart,
  },
  'PATCH /response/:id': {
    send: ({ response }) => ({ ...at(`/response/${response}`), body: { items: { q1: 'forged' } } }),
    gets: visible(200, 403),
    paris: apart,
  },
  'GET /response/:id/revisions': {
    send: ({ response }) => at(`/response/${response}/revisions`),
    gets: visible(200),
    paris: apart,
    namesStaff: true,
  },

  'POST /investigation/:id/lock-items': {
    send: (named) => ({ ...at(`/investigation/${named.study}/lock-items`), body: items(named, 'locked') }),
    gets: visible(204),
    paris: apart,
  },
  'POST /investigation/:id/archive-items': {
    send: (named) => ({
      ...at(`/investigation/${named.study}/archive-items`),
      body: items(named, 'archived'),
    }),
    gets: visible(204, 403),
    paris: apart,
  },
  'POST /investigation/:id/delete-items': {
    send: (named) => ({ ...at(`/investigation/${named.study}/delete-items`), body: items(named, 'deleted') }),
    gets: visible(204, 403),
    paris: apart,
  },
  'GET /investigation/:id/activity': {
    send: ({ study }) => at(`/investigation/${study}/activity`),
    gets: staff(200),
  },
  'POST /investigation/:id/lock-matching': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/lock-matching`),
      body: { status: 'locked', filter: {}, dryRun: true },
    }),
    gets: member(200),
    pure: true,
  },
  'POST /investigation/:id/freeze': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/freeze`),
      body: { status: 'active', reason: 'It was not frozen.' },
    }),
    gets: owners(204),
    pure: true,
  },
  'GET /investigation/:id/activity/:entry/items': {
    send: ({ study }) => at(`/investigation/${study}/activity/${newIdentifier(Date.now())}/items`),
    gets: [404, 404, 404, 403, 403, ...outside],
  },
  'GET /investigation/:id/activity/head': {
    send: ({ study }) => at(`/investigation/${study}/activity/head`),
    gets: staff(200),
  },
  'GET /investigation/:id/changes': {
    send: ({ study }) => at(`/investigation/${study}/changes?include=body`),
    gets: staff(200),
    logged: true,
  },
  'POST /investigation/:id/token': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/token`),
      body: { label: 'Copy', expiresAt: inDays(30) },
    }),
    gets: owners(201),
  },
  'GET /investigation/:id/tokens': {
    send: ({ study }) => at(`/investigation/${study}/tokens`),
    gets: owners(200),
  },
  'DELETE /investigation/:id/token/:token': {
    send: ({ study, program }) => at(`/investigation/${study}/token/${program}`),
    gets: owners(204),
  },
  'GET /investigation/:id/webhooks': {
    send: ({ study }) => at(`/investigation/${study}/webhooks`),
    gets: owners(200),
  },
  'POST /investigation/:id/webhook': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/webhook`),
      body: { url: 'https://hooks.example.org/' },
    }),
    gets: owners(201),
  },
  'GET /webhook/:id': { send: ({ webhook }) => at(`/webhook/${webhook}`), gets: owners(200) },
  'PATCH /webhook/:id': {
    send: ({ webhook }) => ({ ...at(`/webhook/${webhook}`), body: { state: 'paused' } }),
    gets: owners(200),
  },
  'DELETE /webhook/:id': { send: ({ webhook }) => at(`/webhook/${webhook}`), gets: owners(204) },
  'POST /webhook/:id/rotate': { send: ({ webhook }) => at(`/webhook/${webhook}/rotate`), gets: owners(200) },
  'POST /webhook/:id/replay': {
    send: ({ webhook }) => ({ ...at(`/webhook/${webhook}/replay`), body: { after: 0 } }),
    gets: owners(200),
  },
  'POST /webhook/:id/test': { send: ({ webhook }) => at(`/webhook/${webhook}/test`), gets: owners(200) },
  'GET /webhook/:id/deliveries': {
    send: ({ webhook }) => at(`/webhook/${webhook}/deliveries`),
    gets: owners(200),
  },
  'GET /investigation/:id/compliance': {
    send: ({ study, survey }) => at(`/investigation/${study}/compliance?survey=${survey}`),
    gets: staff(200),
  },
  'GET /investigation/:id/compliance/daily': {
    send: ({ study, survey }) => at(`/investigation/${study}/compliance/daily?survey=${survey}`),
    gets: staff(200),
  },
  'GET /investigation/:id/compliance/daily/participants': {
    send: ({ study, survey }) => at(`/investigation/${study}/compliance/daily/participants?survey=${survey}`),
    gets: staff(200),
  },
  'GET /investigation/:id/compliance/attention': {
    send: ({ study }) => at(`/investigation/${study}/compliance/attention`),
    gets: staff(200),
  },
  'GET /investigation/:id/occurrences': {
    send: ({ study, survey }) => at(`/investigation/${study}/occurrences?survey=${survey}`),
    gets: staff(200),
  },
  'GET /console': { send: () => at('/console'), gets: open },
  'GET /console/config': { send: () => at('/console/config'), gets: open },
  'GET /.well-known/jwks.json': { send: () => at('/.well-known/jwks.json'), gets: open },
  'GET /push/key': { send: () => at('/push/key'), gets: open },
  'POST /investigation/:id/activity/review': {
    send: ({ study }) => ({
      ...at(`/investigation/${study}/activity/review`),
      body: { to: 1, comment: 'Seen' },
    }),
    gets: editors(200),
    wide: true,
  },
  'GET /investigation/:id/access': {
    send: ({ study }) => at(`/investigation/${study}/access`),
    gets: owners(200),
  },
  'GET /investigation/:id/activity/verify': {
    send: ({ study }) => at(`/investigation/${study}/activity/verify`),
    gets: staff(200),
  },
};

/** Nothing goes on after an answer, and no phone is real. */
const { db, watch } = watchedDb();
const { app, send } = newApp({
  db,
  push: { ...createServices(env).push, ...easyPush, receive: async () => ({ state: 'off' }) },
  defer: () => {},
  webhooks: {
    faultOf: async () => null,
    call: async () => ({ status: 204 }),
    goOn: async () => {},
    maxCalls: 0,
    maxConcurrent: 0,
  },
  page: async () => '<!doctype html>',
});

interface World {
  named: Named;
  tokens: Record<Caller, string | undefined>;
  tables: Tables;
}

let made: Promise<World> | undefined;
const theWorld = () => {
  made ??= makeWorld();
  return made;
};

async function makeWorld(): Promise<World> {
  const study = await sleepStudy();
  const chidi = study.responder;
  const sites = { properties: [{ name: 'site', values: ['lyon', 'paris'] }] };
  expect((await study.owner.patch(`/investigation/${study.id}`, sites)).status).toBe(200);
  for (const { id } of [chidi, study.other]) {
    const moved = await study.owner.patch(`/investigation/${study.id}/member/${id}`, {
      properties: { site: 'lyon' },
    });
    expect(moved.status, moved.text).toBe(200);
  }
  const night = await newCase(study, chidi);
  const phone = { platform: 'android', token: 'chidis-phone', timeZone: 'Europe/Paris' };
  for (const email of ['guest@example.org', chidi.email])
    await study.owner.post(`/investigation/${study.id}/member`, { email, role: 'editor' });
  await chidi.put('/user/me/pause', { until: null });
  const device = await send('/user/me/device', { method: 'POST', token: chidi.token, body: phone });
  expect(device.status, device.text).toBe(201);
  const named = {
    study: study.id,
    survey: study.survey,
    case: night,
    response: await newResponse(study, chidi, night, { q1: 'slept like a log' }),
    user: chidi.id,
    device: device.body.identifier,
    webhook: '',
    enrolment: '',
    code: '',
    participant: '',
    setAside: await newSetAside(study, 'slept like a log'),
    program: '',
  };
  const lyon = { site: ['lyon'] };
  const paris = { site: ['paris'] };
  const staffOf = (name: string, role: string, scope: object) =>
    newMember(world, study, name, role, { scope });
  const ofPlaces = {
    'editor of Lyon': await staffOf('Leo', 'editor', lyon),
    'monitor of Lyon': await staffOf('Lola', 'monitor', lyon),
    'editor of Paris': await staffOf('Pablo', 'editor', paris),
    'monitor of Paris': await staffOf('Petra', 'monitor', paris),
  };
  const eve = await signUp('Eve');
  await eve.post('/investigation', { name: 'Elsewhere' });
  await sweep(createServices(env));
  const code = await newCode(study.owner, study.id, {
    uses: 1000,
    properties: { site: 'lyon' },
  });
  const enrolled = participantOf(world, await enrol(world, code.code));
  // The participant's plans are made after the answer.
  await jobsDone();
  const owner = await signedIn(world, study.owner);
  const mona = await newMember(world, study, 'Mona', 'monitor');
  const program = await newProgram(world, owner, study.id);
  // By the app that calls no receiver.
  const webhook = await send(`/investigation/${study.id}/webhook`, {
    method: 'POST',
    token: study.owner.token,
    body: { url: 'https://hooks.example.org/' },
  });
  Object.assign(named, {
    webhook: created(webhook).identifier,
    enrolment: code.identifier,
    code: code.code,
    participant: enrolled.id,
    program: program.id,
  });
  const people: Record<Exclude<Caller, 'no token'>, Person> = {
    owner,
    editor: study.editor,
    monitor: mona,
    "responder of another's item": study.other,
    'responder of their own': chidi,
    'member of another study': eve,
    'signed-up stranger': await signUp('Faye'),
    'not signed up': await stranger('Gil'),
    'participant by a code': enrolled,
    program,
    ...ofPlaces,
  };
  const tokens = Object.fromEntries(callers.map((caller) => [caller, people[caller as 'owner']?.token]));
  return { named, tokens: tokens as World['tokens'], tables: await dumpTables() };
}

/** Texts in the database that are none of the caller's business: for members, the answers of others. */
const secretsFrom = (caller: Caller) => [
  'Night 1',
  'slept like a log',
  'chidis-phone',
  'guest@example.org',
  ...(isMember(caller) ? [] : ['Chidi', 'Sleep', 'Diary', ...diary.map((item) => item.label)]),
];

const isMember = (caller: Caller) =>
  callers.indexOf(caller) <= callers.indexOf('responder of their own') ||
  callers.indexOf(caller) >= callers.indexOf('participant by a code');

/** Participants see no other participant, and staff of Paris nobody of Lyon. */
const seesChidi = (caller: Caller) =>
  (isStaff(caller) && !caller.endsWith('of Paris')) || caller === 'responder of their own';

const isStaff = (caller: Caller) => /^(?:owner|editor|monitor|program)/.test(caller);

/** A program reads what a monitor reads, and writes nothing; staff of a part of the study get what those of all of it get. */
function statusOf(caller: Caller, route: string, { gets, participant, wide, paris }: Line): number {
  const isPersonal = gets.at(-1) === 401;
  const [, role, place] = /^(editor|monitor) of (Lyon|Paris)$/.exec(caller) ?? [];
  if (role === 'editor' && wide) return 403;
  if (role && place === 'Paris' && paris) return paris[role === 'editor' ? 0 : 1];
  if (role) return gets[callers.indexOf(role as Caller)] ?? 0;
  if (caller === 'program' && isPersonal && !route.startsWith('GET ')) return 403;
  const alike = { program: 'monitor', 'participant by a code': asResponder } as const;
  if (caller === 'participant by a code' && participant !== undefined) return participant;
  return gets[callers.indexOf(alike[caller as keyof typeof alike] ?? caller)] ?? 0;
}

/** The names again, but what the caller does not see are names of things that never were. */
function unknown(named: Named, caller: Caller): Named {
  const never = Object.keys(named).map((key) => [key, newIdentifier(Date.now())]);
  const { study, survey, user } = named;
  return {
    ...Object.fromEntries(never),
    ...(isMember(caller) && { study, survey }),
    ...(seesChidi(caller) && { user }),
  };
}

test('every route has its line in the table, and every line its route', () => {
  const routes = new Set(
    app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
  );
  const missing = [...routes].filter((route) => !(route in table));
  expect(
    missing,
    `Say in the table of test/permissions/visibility.test.ts what each kind of caller gets from ${missing.join(', ')}.`,
  ).toEqual([]);
  expect(
    Object.keys(table).filter((route) => !routes.has(route)),
    'lines of routes that are gone',
  ).toEqual([]);
});

test('the test watches what is read', async () => {
  const { named, tokens } = await theWorld();
  watch.rows.length = 0;
  await send(`/response/${named.response}`, { token: tokens.owner });
  expect(JSON.stringify(watch.rows)).toContain('slept like a log');
});

test.each(Object.entries(table))('%s', async (route, line) => {
  const { named, tokens, tables } = await theWorld();
  const [method = ''] = route.split(' ');
  const ask = (caller: Caller, names: Named) => {
    const { path, ...call } = line.send(names, caller);
    return send(path, { method, token: tokens[caller], ...call });
  };
  const asked = callers.map((caller) => {
    const expected = statusOf(caller, route, line);
    const isLogged = line.logged && isStaff(caller);
    return { caller, expected, mayChange: expected < 400 && (method !== 'GET' || isLogged) };
  });
  // Those who change nothing come first, and are looked at together.
  const untouching = asked.filter(({ mayChange }) => !mayChange);
  for (const { caller, expected, mayChange } of [...untouching, ...asked.filter((one) => one.mayChange)]) {
    watch.rows.length = 0;
    const answer = await ask(caller, named);
    expect(`${caller}: ${answer.status}`, answer.text).toBe(`${caller}: ${expected}`);
    expect(answer.headers.get('content-type') ?? '', caller).toMatch(
      expected >= 400
        ? /^application\/problem\+json/
        : /^(?:application\/(?:json|x-ndjson)|text\/html|image\/svg|$)/,
    );

    // Invisible texts are not even read.
    const read = JSON.stringify(watch.rows);
    if (expected === 404) for (const secret of secretsFrom(caller)) expect(read).not.toContain(secret);

    if (mayChange) {
      const after = await dumpTables();
      if (!line.pure) expect(after, `${caller} changed nothing`).not.toEqual(tables);
      await restoreTables(tables, after);
    }

    // Callers who may not see a thing get the same answer as if it did not exist.
    const blind = [401, 404].includes(expected) || answer.body?.code === 'user.not-signed-up';
    if (blind) expect(told(await ask(caller, unknown(named, caller))), caller).toEqual(told(answer));
    const isRefused = expected === 403 && isMember(caller) && !seesChidi(caller);
    if (isRefused) {
      const nobody = { ...named, user: newIdentifier(Date.now()) };
      expect(told(await ask(caller, nobody)), `${caller}, of nobody`).toEqual(told(answer));
    }
    if (caller === untouching.at(-1)?.caller)
      expect(await dumpTables(), 'somebody changed something').toEqual(tables);
  }
});

/** Routes that know their caller: the answers of the others are the same for everyone. */
const personal = Object.entries(table).filter(([, { gets }]) => gets.at(-1) === 401);

let deletedTables: Tables | undefined;

/** Chidi's study is deleted, from the first call on. */
async function theDeletedWorld(): Promise<Tables> {
  if (deletedTables) return deletedTables;
  const { named, tokens, tables } = await theWorld();
  await restoreTables(tables);
  const study = `/investigation/${named.study}`;
  await send(study, { method: 'PATCH', token: tokens.owner, body: { status: 'archived' } });
  expect((await send(study, { method: 'DELETE', token: tokens.owner })).status).toBe(204);
  deletedTables = await dumpTables();
  return deletedTables;
}

test.each(personal)('%s finds nothing of a deleted study', async (route, line) => {
  const { named, tokens } = await theWorld();
  const deleted = await theDeletedWorld();
  const [method = ''] = route.split(' ');
  const goBack = async () => {
    if (method !== 'GET') await restoreTables(deleted);
  };
  // An owner brings it back; for everyone else there is nothing to bring back.
  const asking = callers.filter(
    (caller) => isMember(caller) && !(route.endsWith('/restore') && caller === 'owner'),
  );
  for (const caller of asking) {
    const ask = ({ path, ...call }: ReturnType<Line['send']>) =>
      send(path, { method, token: tokens[caller], ...call });
    const { study, survey, user, device } = named;
    const never = { ...unknown(named, 'signed-up stranger'), device, ...(isChidi(caller) && { user }) };
    watch.rows.length = 0;
    const answer = await ask(line.send(named, caller));
    const read = JSON.stringify(watch.rows);
    await goBack();
    const shown = `${caller}: ${answer.status} ${answer.text}`;
    expect(answer.status, shown).toBeLessThan(500);
    for (const secret of [
      '"Sleep"',
      'Diary',
      'Night 1',
      'slept like a log',
      ...diary.map(({ label }) => label),
    ]) {
      expect(shown).not.toContain(secret);
      if (answer.status === 404) expect(read, shown).not.toContain(secret);
    }
    for (const id of [study, survey, named.case, named.response]) expect(shown).not.toContain(id);
    // A request that names something of the study is answered as if that had never existed.
    const changed = line.send(never, caller);
    if (JSON.stringify(changed) === JSON.stringify(line.send(named, caller))) continue;
    expect(told(await ask(changed)), shown).toEqual(told(answer));
    await goBack();
  }
});

const isChidi = (caller: Caller) => caller === 'responder of their own';

interface Blinded {
  named: Named;
  tables: Tables;
}

let blindedMade: Promise<Blinded> | undefined;
const theBlindedWorld = () => {
  blindedMade ??= makeBlinded();
  return blindedMade;
};

/** Words of the blinded survey and of its answers; a value of the property decides, and may be read for that. */
const blindedWords = ['Side effects', 'Do you feel sick?', 'sick as a dog'];

/** The same study has two arms that owners alone know, and a survey for Chidi's arm, with an answer, one that is set aside, and a code. */
async function makeBlinded(): Promise<Blinded> {
  const { named, tokens, tables } = await theWorld();
  await restoreTables(tables);
  const by =
    (token: string | undefined) =>
    async (path: string, body: object, method = 'POST') => {
      const answer = await send(path, { method, token, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
  const [owner, chidi] = [by(tokens.owner), by(tokens['responder of their own'])];
  const study = `/investigation/${named.study}`;
  const { properties } = (await send(study, { token: tokens.owner })).body;
  const arms = { name: 'arm', values: ['verum', 'placebo'], blinded: true };
  await owner(study, { properties: [...properties, arms] }, 'PATCH');
  await owner(`${study}/member/${named.user}`, { properties: { arm: 'verum' } }, 'PATCH');
  const items = [{ identifier: 'q1', label: 'Do you feel sick?' }];
  const survey = created(
    await owner(`${study}/survey`, { name: 'Side effects', items, reminders, for: { arm: ['verum'] } }),
  ).identifier as string;
  const answer = async (of: string, more = {}) =>
    chidi(`/survey/${survey}/response`, { case: of, items: { q1: 'sick as a dog' }, ...more });
  const response = responseIn(await answer(named.case));
  const nap = created(await chidi(`${study}/case`, { label: 'Nap' })).identifier;
  const at = new Date(Date.now()).toISOString();
  later(60_000);
  await owner(`${study}/archive-items`, { cases: [{ identifier: nap }], status: 'archived' });
  const setAside = newIdentifier(Date.now());
  await answer(nap, { at, identifier: setAside });
  const code = created(await owner(`${study}/enrolment`, { uses: 9, properties: { arm: 'placebo' } }));
  return {
    named: { ...named, survey, response, setAside, enrolment: code.identifier, code: code.code },
    tables: await dumpTables(),
  };
}

test.each(personal)('%s knows no blinded survey, and nothing of it, but for owners', async (route, line) => {
  const { tokens } = await theWorld();
  const { named, tables } = await theBlindedWorld();
  await restoreTables(tables, await dumpTables());
  const [method = ''] = route.split(' ');
  const { survey, response, setAside, enrolment, code } = unknown(named, 'signed-up stranger');
  const never = { ...named, survey, response, setAside, enrolment, code };
  for (const caller of ['editor', 'monitor', 'editor of Lyon', 'monitor of Lyon', 'program'] as const) {
    const ask = async (names: Named) => {
      const { path, ...call } = line.send(names, caller);
      watch.rows.length = 0;
      const answer = await send(path, { method, token: tokens[caller], ...call });
      if (method !== 'GET' && answer.status < 400) await restoreTables(tables);
      return answer;
    };
    const answer = await ask(named);
    const shown = `${caller}: ${answer.status} ${answer.text}`;
    expect(answer.status, shown).toBeLessThan(500);
    if (answer.status === 404)
      for (const word of blindedWords) expect(JSON.stringify(watch.rows), shown).not.toContain(word);
    for (const word of [...blindedWords, 'verum', named.response, named.setAside, named.enrolment])
      expect(shown).not.toContain(word);
    if (route === 'GET /investigation/:id/changes') expect(answer.body.code, shown).toBe('action.forbidden');
    // Everybody who has the code uses it.
    const isNamed = JSON.stringify(line.send(never, caller)) !== JSON.stringify(line.send(named, caller));
    if (isNamed && !route.includes('/enrol')) expect(told(await ask(never)), shown).toEqual(told(answer));
  }
});

const told = ({ status, text, headers }: Awaited<ReturnType<typeof send>>) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
});

let marked: Promise<Awaited<ReturnType<typeof markedStudy>> & { tables: Tables }> | undefined;
const theMarkedStudy = () => {
  marked ??= (async () => {
    await restoreTables((await theWorld()).tables);
    const made = await markedStudy();
    await jobsDone();
    return { ...made, tables: await dumpTables() };
  })();
  return marked;
};

type Marked = Awaited<ReturnType<typeof theMarkedStudy>>;

/** The names in a participant's requests: everything of Chidi's that they have, and the same of their own. */
function namesFor(
  { study, answers, people, nap, night, dawn, poster, ...made }: Marked,
  by: Person,
): Named[] {
  const { chidi, owner, pia } = people;
  const { webhook, device, setAside, program } = made;
  const shared = { study: study.id, survey: study.survey, webhook, device, setAside, program: program.id };
  const codes = { enrolment: poster.identifier, code: poster.code, participant: pia.id };
  const ofChidi = { ...shared, ...codes, user: chidi.id, case: night, response: answers.get(chidi) ?? '' };
  const own = { ...ofChidi, user: by.id, case: nap, response: answers.get(by) ?? ofChidi.response };
  return [ofChidi, own, { ...own, user: owner.id, participant: chidi.id, case: dawn }];
}

/** A GET in all its forms: a request answers some of them by a problem document. */
const forms = (call: Call & { path: string }, names: Named): (Call & { path: string })[] => {
  const ask = (question: string) => ({ ...call, path: `${call.path}${mark(call.path)}${question}` });
  const questions = [
    'include=lock',
    'include=body',
    'limit=1',
    'labels=true',
    'status=all',
    `responder=${names.user}`,
  ];
  const csv = { ...call, headers: { accept: 'text/csv' } };
  const ndjson = { ...call, headers: { accept: 'application/x-ndjson' } };
  return [call, csv, { ...csv, path: ask('include=lock').path }, ndjson, ...questions.map(ask)];
};
const mark = (path: string) => (path.includes('?') ? '&' : '?');

/** The text of an answer, with its headers, and with its cursors as they are before they are encoded. */
function readable({ text, headers, body }: Awaited<ReturnType<typeof send>>): string {
  const cursor =
    typeof body?.next === 'string' ? atob(body.next.replaceAll('-', '+').replaceAll('_', '/')) : '';
  return `${text} ${JSON.stringify([...headers])} ${cursor}`;
}

/** A picture is open to whoever knows the identifier, by which these requests ask for it. */
const openByIdentifier = ['GET /user/:id/avatar'];

test.each(Object.entries(table))('%s names no participant to another one', async (route, line) => {
  const world = await theMarkedStudy();
  const { people, marks, tables } = world;
  await restoreTables(tables);
  const [method = ''] = route.split(' ');
  const staff = line.namesStaff ? ['owner', 'editor'] : [];
  let namesStaff = false;
  for (const who of ['chidi', 'dana', 'pia', 'faye'] as const) {
    const by = people[who];
    const hidden = Object.entries(marks).filter(([whose]) => whose !== who && !staff.includes(whose));
    for (const names of namesFor(world, by)) {
      const call = line.send(names, 'participant by a code');
      for (const { path, ...asked } of method === 'GET' ? forms(call, names) : [call]) {
        const answer = await send(path, { method, token: by.token, ...asked });
        const text = readable(answer);
        for (const [whose, theirs] of openByIdentifier.includes(route) ? [] : hidden)
          for (const one of theirs)
            expect(text.includes(one), `${who} reads ${one} of ${whose} at ${path}: ${text}`).toBe(false);
        namesStaff ||= staff.some((whose) => text.includes(marks[whose]?.[0] ?? '-'));
        if (method !== 'GET' && answer.status < 400) await restoreTables(tables);
      }
    }
  }
  expect(namesStaff, 'names owners or editors to somebody').toBe(line.namesStaff === true);
});

test('a responder lists, reads and locks what is theirs, until it is hidden', async () => {
  const study = await sleepStudy();
  const { owner, responder, other } = study;
  const list = async (of: Person, name: 'cases' | 'responses') =>
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    (await of.get(`/investigation/${study.id}/${name}`)).body[name].map((row: any) => row.identifier);

  const owners = await newCase(study, owner, 'By the owner');
  later(1);
  const theirs = await newCase(study, responder, 'By the responder');
  later(1);
  const others = await newCase(study, other, 'By the other');
  const answer = await newResponse(study, responder, owners);
  later(1);
  const foreign = await newResponse(study, other, owners);

  expect(await list(owner, 'cases')).toEqual([owners, theirs, others]);
  expect(await list(responder, 'cases')).toEqual([owners, theirs]);
  expect(await list(other, 'cases')).toEqual([owners, others]);
  expect(await list(owner, 'responses')).toEqual([answer, foreign]);
  expect(await list(responder, 'responses')).toEqual([answer]);
  expect((await responder.get(`/response/${foreign}`)).status).toBe(404);
  // Seen, but not theirs to edit.
  expect((await responder.patch(`/case/${owners}`, { label: 'Mine' })).body.code).toBe('action.forbidden');
  expect((await lock(responder, study, { cases: [owners] })).status).toBe(204);
  expect((await lock(responder, study, { cases: [owners] }, 'unlocked')).status).toBe(204);

  await owner.patch(`/case/${owners}`, { hidden: true });
  await owner.patch(`/case/${theirs}`, { hidden: true });
  expect(await list(responder, 'cases')).toEqual([]);
  expect((await responder.get(`/case/${theirs}`)).status).toBe(404);
  expect((await responder.patch(`/case/${theirs}`, { label: 'Mine' })).status).toBe(404);
  expect((await lock(responder, study, { cases: [theirs] })).body.code).toBe('items.not-found');
  const more = await responder.post(`/survey/${study.survey}/response`, { case: owners, items: {} });
  expect(more.body.code).toBe('items.not-found');
  // The responses they gave stay theirs.
  expect(await list(responder, 'responses')).toEqual([answer]);
});

test('former members see nothing of a study any more', async () => {
  const study = await sleepStudy();
  const { owner, responder } = study;
  const night = await newCase(study, responder);
  const answer = await newResponse(study, responder, night);
  expect((await owner.delete(`/investigation/${study.id}/member/${responder.id}`)).status).toBe(204);
  for (const path of [
    `/investigation/${study.id}`,
    `/investigation/${study.id}/cases`,
    `/case/${night}`,
    `/response/${answer}`,
    `/survey/${study.survey}`,
    `/user/${owner.id}`,
  ])
    expect((await responder.get(path)).status, path).toBe(404);
  expect((await owner.get(`/response/${answer}`)).status).toBe(200);
});
