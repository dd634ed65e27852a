import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { operations } from '../http/support/operations.ts';
import { newCode } from '../support/participants.ts';
import { type Answer, created } from '../support/people.ts';
import { diary, type Study } from '../support/studies.ts';
import { readLog } from '../support/worker/logs.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * A change of a study's settings is an entry of its log, with the values before and after. Every route that writes has a
 * line here: a change of settings, or the reason why it is none. Of the routes that change settings field by field the
 * fields are those of the API document, so that a new field needs a value here, and an entry.
 */

type Send = (study: Study) => Promise<Answer>;

/** An entry of the log, and the part of it that has the values. */
interface Line {
  send: Send;
  action: string;
  details: (study: Study) => object;
}

const changed = (before: object, after: object) => ({ before, after });
const path = ({ id }: Study) => `/investigation/${id}`;
const webhook = async ({ id, owner }: Study) =>
  created(await owner.post(`/investigation/${id}/webhook`, { url: 'https://hooks.example.org/' })).identifier;
const added = { host: 'hooks.example.org', status: 'active' };

const settings: Record<string, Line> = {
  'POST /investigation/:id/member': {
    send: async (study) => {
      await study.owner.delete(`${path(study)}/member/${study.other.id}`);
      return study.owner.post(`${path(study)}/member`, { user: study.other.id, role: 'responder' });
    },
    action: 'member.added',
    details: ({ other }) => ({ member: other.id, ...changed({ role: null }, { role: 'responder' }) }),
  },
  'DELETE /investigation/:id/member/:user': {
    send: (study) => study.owner.delete(`${path(study)}/member/${study.editor.id}`),
    action: 'member.removed',
    details: ({ editor }) => ({ member: editor.id, ...changed({ role: 'editor' }, { role: null }) }),
  },
  'POST /investigation/:id/members/dates': {
    send: (study) =>
      study.owner.post(`${path(study)}/members/dates`, {
        members: [{ user: study.other.id, participation: { until: '2027-04-11' } }],
      }),
    action: 'member.dates-changed',
    details: ({ other }) => ({
      members: [
        { member: other.id, ...changed({ participation: null }, { participation: { until: '2027-04-11' } }) },
      ],
    }),
  },
  'POST /investigation/:id/enrolment': {
    send: (study) => study.owner.post(`${path(study)}/enrolment`, { uses: 40, label: 'Ward 3' }),
    action: 'enrolment.added',
    details: () => ({ enrolment: expect.any(String), after: { uses: 40, expiresAt: null } }),
  },
  'DELETE /enrolment/:id': {
    send: async (study) =>
      study.owner.delete(`/enrolment/${(await newCode(study.owner, study.id)).identifier}`),
    action: 'enrolment.ended',
    details: () => ({
      enrolment: expect.any(String),
      ...changed({ endedAt: null }, { endedAt: '2027-03-01T08:00:00.000Z' }),
    }),
  },
  'POST /investigation/:id/freeze': {
    send: (study) => study.owner.post(`${path(study)}/freeze`, { status: 'frozen', reason: 'Database lock' }),
    action: 'study.frozen',
    details: () => changed({ frozenAt: null }, { frozenAt: '2027-03-01T08:00:00.000Z' }),
  },
  'POST /investigation/:id/survey': {
    send: (study) =>
      study.owner.post(`${path(study)}/survey`, { name: 'Naps', items: diary, reminders: daily }),
    action: 'survey.reminders-changed',
    details: () => ({
      survey: expect.any(String),
      ...changed({ reminders: null }, { reminders: expect.objectContaining(daily) }),
    }),
  },
  'POST /investigation/:id/webhook': {
    send: (study) => study.owner.post(`${path(study)}/webhook`, { url: 'https://hooks.example.org/secret' }),
    action: 'webhook.added',
    details: () => ({ webhook: expect.any(String), after: expect.objectContaining(added) }),
  },
  'DELETE /webhook/:id': {
    send: async (study) => study.owner.delete(`/webhook/${await webhook(study)}`),
    action: 'webhook.removed',
    details: () => ({ webhook: expect.any(String), before: expect.objectContaining(added) }),
  },
  'POST /webhook/:id/replay': {
    send: async (study) => study.owner.post(`/webhook/${await webhook(study)}/replay`, { after: 1 }),
    action: 'webhook.replayed',
    details: () => ({
      webhook: expect.any(String),
      ...changed({ position: expect.any(Number) }, { position: 1 }),
    }),
  },
  // Neither secret is in the log.
  'POST /webhook/:id/rotate': {
    send: async (study) => study.owner.post(`/webhook/${await webhook(study)}/rotate`),
    action: 'webhook.rotated',
    details: () => ({ webhook: expect.any(String) }),
  },
  'DELETE /investigation/:id': {
    send: async (study) => {
      await study.owner.patch(path(study), { status: 'archived' });
      const answer = await study.owner.delete(path(study));
      // Only then its log is read again.
      await study.owner.post(`${path(study)}/restore`);
      return answer;
    },
    action: 'study.deleted',
    details: () => changed({ status: 'archived' }, { status: 'deleted' }),
  },
  'POST /investigation/:id/restore': {
    send: async (study) => {
      await study.owner.patch(path(study), { status: 'archived' });
      await study.owner.delete(path(study));
      return study.owner.post(`${path(study)}/restore`);
    },
    action: 'study.restored',
    details: () => changed({ status: 'deleted' }, { status: 'archived' }),
  },
};

const sites = [{ name: 'site', values: ['lyon', 'paris'] }];

/** The new value of a field, and the name under which the log has it; a reason, if it is not a setting by itself. */
type Field = { value: unknown; as?: string } | string;

interface Change {
  to: (study: Study) => string | Promise<string>;
  fields: Record<string, Field>;
}

const fieldByField: Record<string, Change> = {
  'PATCH /investigation/:id': {
    to: path,
    fields: {
      name: { value: 'Sleep and dreams' },
      timeZone: { value: 'Asia/Tokyo' },
      startsOn: { value: '2027-04-01' },
      status: { value: 'archived' },
      lockPolicy: { value: { unlock: 'owners', signature: true } },
      information: { value: { en: { title: 'Sleep', text: 'Two weeks.', contact: 'Ada' } } },
      dates: { value: ['surgery'] },
      participationDays: { value: 42 },
      properties: { value: sites },
      signature: 'signs the change of the policy',
    },
  },
  'PATCH /survey/:id': {
    to: async (study) => {
      await study.owner.patch(path(study), { properties: sites });
      return `/survey/${study.survey}`;
    },
    fields: {
      name: { value: 'Naps' },
      items: { value: [{ identifier: 'q1', label: 'How did you nap?' }] },
      reminders: { value: daily },
      status: { value: 'archived' },
      for: { value: { site: ['lyon'] } },
      again: 'goes with reminders, and is in their entry',
    },
  },
  'PATCH /webhook/:id': {
    to: async (study) => `/webhook/${await webhook(study)}`,
    fields: {
      // Paths of URLs may hold secrets.
      url: { value: 'https://elsewhere.example.org/', as: 'host' },
      kinds: { value: ['case'] },
      state: { value: 'paused', as: 'status' },
    },
  },
  'PATCH /investigation/:id/member/:user': {
    to: async (study) => {
      await study.owner.patch(path(study), { dates: ['surgery'], properties: sites });
      return `${path(study)}/member/${study.other.id}`;
    },
    fields: {
      role: { value: 'editor' },
      dates: { value: { surgery: '2027-03-08' } },
      participation: { value: { until: '2027-04-11' } },
      properties: { value: { site: 'lyon' } },
      scope: 'of editors and monitors, in an entry with both',
      code: 'is in no entry, which says whether it was given, changed or removed',
    },
  },
};

const person = 'of a person, who changes their own';
const record = 'a record, with its author and its time';
const items = 'changes of items are entries that name them';
const nothing = 'changes nothing of the study';

const noSettings: Record<string, string> = {
  'POST /user': person,
  'PATCH /user/:id': person,
  'DELETE /user/:id': person,
  'PUT /user/:id/pause': person,
  'DELETE /user/:id/pause': person,
  'POST /user/me/token': person,
  'DELETE /user/me/tokens': person,
  'POST /user/:id/device': person,
  'PATCH /device/:id': person,
  'DELETE /device/:id': person,
  'POST /device/:id/test': nothing,
  'POST /user/:id/invitations/:investigation/accept': 'an entry as of a member who is added',
  'POST /user/:id/invitations/:investigation/decline': person,
  'POST /enrol/about': nothing,
  'POST /user/me/relink': 'an entry without values: it makes a code',
  'POST /enrol': 'an entry as of a member who is added',
  'POST /investigation/:id/member/:user/relink': 'an entry without values: it makes a code',
  'POST /investigation/:id/token': 'an entry as of a member who is added',
  'DELETE /investigation/:id/token/:token': 'an entry as of a member who is removed',
  'POST /investigation': record,
  'POST /investigation/:id/case': record,
  'PATCH /case/:id': record,
  'POST /survey/:id/response': record,
  'PATCH /response/:id': record,
  'POST /set-aside/:id/place': 'an entry about a record',
  'POST /set-aside/:id/discard': 'an entry about a record',
  'POST /survey/:id/download': record,
  'POST /investigation/:id/lock-items': items,
  'POST /investigation/:id/archive-items': items,
  'POST /investigation/:id/delete-items': items,
  'POST /investigation/:id/lock-matching': items,
  'POST /investigation/:id/activity/review': 'an entry about entries',
  'POST /webhook/:id/test': nothing,
  'POST /reminders/preview': nothing,
  'POST /survey/:id/reminders/change': nothing,
  'POST /notification/:id/receipt': record,
  'POST /user/me/receipts': record,
  'POST /notification/:id/snooze': record,
  'POST /relay/events': nothing,
};

test('every route that writes changes settings, or says why it does not', () => {
  const { routes } = createApp(createServices(env), readConfig(env));
  const writing = routes.filter(({ method }) => !['GET', 'ALL'].includes(method));
  expect(Object.keys({ ...settings, ...fieldByField, ...noSettings }).sort()).toEqual(
    [...new Set(writing.map(({ method, path }) => `${method} ${path}`))].sort(),
  );
});

describe('is one entry, with what was before and what is after:', () => {
  test.each(Object.entries(settings))('%s', async (_, { send, action, details }) => {
    const study = await sleepStudy();
    const answer = await send(study);
    expect(answer.status, answer.text).toBeLessThan(300);
    const entry = (await readLog(study, study.owner)).findLast((one) => one.action === action);
    expect(entry).toMatchObject({ actor: study.owner.id });
    expect(entry.details).toEqual(details(study));
    expect(JSON.stringify(entry)).not.toMatch(/Ward 3|whsec|\/secret/);
  });
});

describe('field by field,', () => {
  const fieldsOf = (route: string) => {
    const name = route.replaceAll(/:(\w+)/g, '{$1}');
    const { requestBody } = operations.find((one) => one.name === name) ?? {};
    const schema = requestBody?.content['application/json']?.schema as { properties?: object } | undefined;
    return Object.keys(schema?.properties ?? {});
  };

  test.each(Object.entries(fieldByField))(
    '%s has a line for each field of the document',
    (route, { fields }) => {
      expect(Object.keys(fields).sort()).toEqual(fieldsOf(route).sort());
    },
  );

  const changes = Object.entries(fieldByField).flatMap(([route, { to, fields }]) =>
    Object.entries(fields).flatMap(([name, field]) =>
      typeof field === 'string' ? [] : [{ route, to, name, ...field }],
    ),
  );
  test.each(changes)(
    '$route has an entry with $name before and after',
    async ({ to, name, value, as = name }) => {
      const study = await sleepStudy();
      const url = await to(study);
      const before = await readLog(study, study.owner);
      const answer = await study.owner.patch(url, { [name]: value });
      expect(answer.status, answer.text).toBe(200);
      const [entry, ...more] = (await readLog(study, study.owner)).slice(before.length);
      expect(more).toEqual([]);
      const { before: was, after: is } = entry.details;
      expect(Object.keys(was)).toEqual([as]);
      expect(Object.keys(is)).toEqual([as]);
      expect(is[as]).not.toEqual(was[as]);
      if (as === name && name !== 'reminders') expect(is[as]).toEqual(value);
      // The same again changes nothing.
      await study.owner.patch(url, { [name]: value });
      if (value !== 'archived') expect(await readLog(study, study.owner)).toHaveLength(before.length + 1);
    },
  );
});
