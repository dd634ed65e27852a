import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { purgeNotifications } from '../../src/reminders/retention.ts';
import type { Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import { csv, linesOf, ndjson, tableOf } from '../support/lists.ts';
import type { Person } from '../support/people.ts';
import { newCase, newMember, newResponse, type Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { days, hours, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { arm, blindedArm, bound, declare, newSurvey, regroup, site } from '../support/worker/groups.ts';
import { seedPast, seedSilent } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

/*
 * Chidi is of Lyon and of arm a, Dana of Paris and of arm b. Mona monitors Lyon; Ada owns the study, and Bruno edits all of
 * it that is not blinded.
 */

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Body = any;

const due = Date.parse('2027-03-01T20:30:00.000Z');
/** They count from the surgery of each person. */
const afterSurgery = { ...daily, type: 'fixed', recurrence: '0 8 * * *', from: { date: 'surgery' } };
const march = 'from=2027-03-01&to=2027-03-05';

const services: Services = {
  ...createServices(env),
  push: { ...createServices(env).push, ...easyPush },
  alarms: { arm: async () => {}, deliver: async () => {} },
  log: () => {},
};

interface Sites extends Study {
  mona: Person;
}

async function twoSites(reminders: object | null = null, arms: object = arm): Promise<Sites> {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  await declare(study, site, arms);
  await regroup(study, study.responder, { site: 'lyon', arm: 'a' });
  await regroup(study, study.other, { site: 'paris', arm: 'b' });
  const mona = await newMember(world, study, 'Mona', 'monitor');
  await bound(study, mona, { site: ['lyon'] });
  return { ...study, mona };
}

async function read(by: Person, path: string): Promise<Body> {
  const { status, text, body } = await by.get(path);
  expect(status, text).toBe(200);
  return body;
}

const compliance = ({ id }: Study, by: Person, query = '') =>
  read(by, `/investigation/${id}/compliance?${march}${query}`);
const occurrences = async ({ id }: Study, by: Person, query = ''): Promise<Body[]> =>
  (await read(by, `/investigation/${id}/occurrences?${query}`)).occurrences;
const attention = async ({ id }: Study, by: Person, query = '') => {
  const { attention } = await read(by, `/investigation/${id}/compliance/attention?${query}`);
  return Object.fromEntries(
    attention.map(({ reason, first }: Body) => [reason, first.map(({ name }: Body) => name).sort()]),
  );
};
const names = (people: Body[]) => people.map(({ name }) => name).sort();

/** Sent reminders, on the first days of March. */
const sent = (user: Person, survey: string, ...dates: number[]) =>
  seedPast(dates.map((n) => ({ user: user.id, survey, on: `2027-03-0${n}`, state: 'sent' as const })));

describe('a reminder counts for the site that its person was of when it was due', () => {
  async function evenings() {
    const study = await twoSites(daily);
    for (const person of [study.responder, study.other]) {
      await newPhone(person);
      await pendingOf(person);
      await dropAlarm(person);
    }
    const deliverOn = async (evening: number) => {
      setClock(due + evening * days);
      for (const person of [study.responder, study.other]) await deliver(services, person.id);
    };
    await deliverOn(0);
    setClock(due + 12 * hours);
    await regroup(study, study.responder, { site: 'paris' });
    await pendingOf(study.responder);
    await deliverOn(1);
    return study;
  }
  const dueOf = async (study: Study, query: string) =>
    (await compliance(study, study.owner, query)).totals.due;

  test('in totals, also by date, and once the reminder is purged', async () => {
    const study = await evenings();
    const expectTotals = async () => {
      expect(await dueOf(study, '')).toBe(4);
      expect(await dueOf(study, '&property=site:lyon')).toBe(1);
      expect(await dueOf(study, '&property=site:paris')).toBe(3);
      expect(await dueOf(study, '&property=site:lyon&property=site:paris')).toBe(4);
      expect(await dueOf(study, '&property=site:paris&property=arm:a')).toBe(1);
      const { days } = await read(
        study.owner,
        `/investigation/${study.id}/compliance/daily?${march}&property=site:paris`,
      );
      expect(days.map(({ due }: Body) => due)).toEqual([1, 2, 0, 0, 0]);
    };
    await expectTotals();
    await purgeNotifications({ db: services.db, now: due + 500 * days }, [
      study.responder.id,
      study.other.id,
    ]);
    expect(await occurrences(study, study.owner)).toEqual([]);
    await expectTotals();
  });

  test('while rows of people, and their occurrences, are those of the site where they are now', async () => {
    const study = await evenings();
    const { participants } = await compliance(study, study.owner, '&property=site:paris');
    expect(names(participants)).toEqual(['Chidi', 'Dana']);
    expect(participants.map(({ due }: Body) => due)).toEqual([2, 2]);
    expect(await occurrences(study, study.owner, 'property=site:paris')).toHaveLength(4);
    expect(await occurrences(study, study.owner, 'property=site:lyon')).toEqual([]);
    // Mona still sees what was counted in Lyon, and nobody of it.
    const seen = await compliance(study, study.mona);
    expect(seen).toMatchObject({ totals: { due: 1 }, participants: [] });
  });

  test('and when a group is left and joined again before an outcome, for the last one alone', async () => {
    const study = await twoSites(daily);
    const { responder, owner, survey } = study;
    await newPhone(responder);
    await pendingOf(responder);
    await owner.patch(`/survey/${survey}`, { status: 'archived' });
    setClock(due - 2 * hours);
    await regroup(study, responder, { site: 'paris' });
    await owner.patch(`/survey/${survey}`, { status: 'active' });
    await pendingOf(responder);
    setClock(due);
    await deliver(services, responder.id);
    expect(await dueOf(study, '&property=site:lyon')).toBe(0);
    expect(await dueOf(study, '&property=arm:a')).toBe(1);
  });
});

describe('a monitor of Lyon sees Lyon', () => {
  test('in totals, which are those of its occurrences, and in everything of its people', async () => {
    const study = await twoSites();
    const { id, owner, mona, responder: chidi, other: dana, survey } = study;
    const esi = await newMember(world, study, 'Esi', 'responder');
    await sent(chidi, survey, 1, 2);
    await sent(dana, survey, 1, 2, 3);
    // Of no site, so that Mona does not see her.
    await sent(esi, survey, 1);
    const whole = await compliance(study, owner);
    expect(whole.totals.due).toBe(6);
    const seen = await compliance(study, mona);
    expect(seen.totals).toMatchObject({ due: 2, sent: 2 });
    expect(seen.participants).toMatchObject([
      { name: 'Chidi', due: 2, properties: { site: 'lyon', arm: 'a' } },
    ]);
    for (const [by, query] of [
      [mona, ''],
      [owner, '&property=site:lyon'],
      [owner, '&property=site:paris'],
      [owner, '&property=arm:b&property=site:paris'],
      [owner, '&property=arm:b&property=site:lyon'],
      [mona, '&property=arm:b'],
    ] as const) {
      const rows = await occurrences(study, by, query.slice(1));
      const { totals, participants } = await compliance(study, by, query);
      expect(totals.due, query).toBe(rows.length);
      expect(participants.reduce((sum: number, { due }: Body) => sum + due, 0)).toBe(rows.length);
      const { participants: ofDays } = await read(
        by,
        `/investigation/${id}/compliance/daily/participants?${march}${query}`,
      );
      expect(names(ofDays)).toEqual(names(participants));
    }
    const { days } = await read(mona, `/investigation/${id}/compliance/daily?${march}`);
    expect(days.map(({ due }: Body) => due)).toEqual([1, 1, 0, 0, 0]);
    expect(await attention(study, mona)).toMatchObject({
      unreachable: ['Chidi'],
      'never-downloaded': ['Chidi'],
    });
    expect(await attention(study, owner, 'property=site:paris')).toMatchObject({ unreachable: ['Dana'] });
    const { investigations } = await read(mona, '/investigation?include=counts');
    expect(investigations).toMatchObject([{ participants: 1, attention: 1 }]);
    for (const answer of [seen, await occurrences(study, mona)])
      for (const { id } of [dana, esi]) expect(JSON.stringify(answer)).not.toContain(id);
  });

  test('and asks for people of Lyon alone, former ones included, and for staff', async () => {
    const study = await twoSites();
    const { id, owner, mona, responder: chidi, other: dana, survey } = study;
    const esi = await newMember(world, study, 'Esi', 'responder');
    await regroup(study, esi, { site: 'paris' });
    for (const person of [chidi, dana, esi]) await sent(person, survey, 1);
    for (const [person, code] of [
      [chidi, 'L-1'],
      [dana, 'P-1'],
    ] as const)
      await owner.patch(`/investigation/${id}/member/${person.id}`, { code });
    for (const person of [chidi, esi]) await owner.delete(`/investigation/${id}/member/${person.id}`);
    expect(await occurrences(study, mona, `user=${chidi.id}`)).toMatchObject([
      { code: 'L-1', properties: { site: 'lyon', arm: 'a' } },
    ]);
    expect(await occurrences(study, mona, 'code=L-1')).toHaveLength(1);
    expect(await occurrences(study, owner, 'property=site:lyon')).toHaveLength(1);
    expect(await occurrences(study, owner, 'property=site:paris')).toHaveLength(2);
    for (const list of ['occurrences', 'compliance']) {
      const path = `/investigation/${id}/${list}`;
      const stranger = await mona.get(`${path}?user=${'e'.repeat(32)}`);
      expectProblem(stranger, 'resource.not-found');
      for (const person of [dana, esi]) {
        const hidden = await mona.get(`${path}?user=${person.id}`);
        expect({ ...hidden.body, instance: null }).toEqual({ ...stranger.body, instance: null });
      }
      // They are known, and take no part.
      for (const person of [owner, mona])
        expect((await read(mona, `${path}?user=${person.id}`)).participants ?? []).toEqual([]);
      expect((await mona.get(`${path}?code=P-1`)).text).not.toContain(dana.id);
    }
    expect(await occurrences(study, mona, 'code=P-1')).toEqual([]);
    // The totals have the reminders of those who left.
    expect((await compliance(study, mona)).totals.due).toBe(1);
  });

  test('and no response to a case of another site', async () => {
    const study = await twoSites();
    const { owner, mona, responder: chidi, survey } = study;
    await sent(chidi, survey, 1);
    setClock('2027-03-01T21:00:00.000Z');
    const night = await newCase(study, owner);
    const response = await newResponse(study, chidi, night, { q1: 'badly' });
    const query = `survey=${survey}`;
    const [row] = await occurrences(study, owner, query);
    expect(row).toMatchObject({ response, items: { q1: 'badly' } });
    const [seen] = await occurrences(study, mona, query);
    expect(seen).toEqual({ ...row, response: null, items: {} });
    await env.DB.prepare(`update study_case set properties = '{"site":["lyon",1]}' where id = ?`)
      .bind(night)
      .run();
    expect(await occurrences(study, mona, query)).toEqual([row]);
  });

  test('whose day has begun, if it has for somebody of Lyon', async () => {
    const study = await twoSites();
    const { id, owner, mona, other: dana, responder: chidi, survey } = study;
    await sent(dana, survey, 2);
    const lastOf = async (by: Person) => (await read(by, `/investigation/${id}/compliance`)).to;
    expect(await lastOf(owner)).toBe('2027-03-02');
    expect(await lastOf(mona)).toBe('2027-03-01');
    await sent(chidi, survey, 2);
    expect(await lastOf(mona)).toBe('2027-03-02');
  });
});

describe('a survey that is for an arm', () => {
  test('makes nobody of another arm silent, without a date or a download', async () => {
    const study = await twoSites(null);
    const { owner, responder: chidi, other: dana, survey } = study;
    await owner.patch(`/investigation/${study.id}`, { dates: ['surgery'] });
    await owner.patch(`/survey/${survey}`, { status: 'archived' });
    const ofArm = await newSurvey(study, { for: { arm: ['b'] }, reminders: afterSurgery });
    await seedSilent(ofArm, [chidi.id, dana.id]);
    expect(await attention(study, owner)).toMatchObject({ silent: ['Dana'], 'date-missing': ['Dana'] });
    for (const [query, expected] of [
      ['attention=silent', ['Dana']],
      ['attention=date-missing', ['Dana']],
    ] as const)
      expect(names((await compliance(study, owner, `&${query}`)).participants)).toEqual(expected);
    // A download of what is not for him is none.
    await env.DB.prepare('update scheduled_notification set downloaded_at = 1 where survey_id = ?')
      .bind(ofArm)
      .run();
    const { 'never-downloaded': never } = await attention(study, owner);
    expect(never).toEqual(['Chidi']);
    const { investigations } = await read(owner, '/investigation?include=counts');
    expect(investigations).toMatchObject([{ attention: 2 }]);
    // Their own exports say the same.
    for (const [person, reasons] of [
      [chidi, ['unreachable', 'never-downloaded']],
      [dana, ['unreachable', ofArm]],
    ] as const) {
      const lines: Body[] = linesOf((await person.get('/user/me/export')).text);
      const said = lines.filter(({ kind }) => kind === 'attention' || kind === 'silence');
      expect(said.map(({ reason, survey }) => reason ?? survey).sort()).toEqual([...reasons].sort());
    }
  });
});

describe('a survey of a blinded arm', () => {
  const properties = { site: 'lyon' };

  test('counts for owners alone', async () => {
    const study = await twoSites(null, blindedArm);
    const { id, owner, editor, mona, responder: chidi, survey } = study;
    const blinded = await newSurvey(study, { for: { arm: ['a'] }, reminders: daily });
    await sent(chidi, survey, 1);
    await sent(chidi, blinded, 1, 2, 3);
    await seedSilent(blinded, [chidi.id]);
    expect((await compliance(study, owner)).totals.due).toBe(4);
    expect((await compliance(study, owner, '&property=arm:a')).totals.due).toBe(4);
    for (const by of [editor, mona]) {
      const { totals, participants } = await compliance(study, by);
      expect(totals.due).toBe(1);
      const row = participants.find(({ name }: Body) => name === 'Chidi');
      expect(row).toMatchObject({ due: 1, properties });
      expect(row.attention).not.toContain('silent');
      expect(row.properties).toEqual(properties);
      expect((await compliance(study, by, '&attention=silent')).participants).toEqual([]);
      expect((await attention(study, by)).silent).toEqual([]);
      expect(await occurrences(study, by)).toMatchObject([{ survey, properties }]);
      const { days } = await read(by, `/investigation/${id}/compliance/daily?${march}`);
      expect(days.map(({ due }: Body) => due)).toEqual([1, 0, 0, 0, 0]);
      const of = await read(by, `/investigation/${id}/compliance/daily/participants?${march}`);
      expect(of.participants.find(({ name }: Body) => name === 'Chidi').due).toEqual([1, 0, 0, 0, 0]);
      // The third of March has begun for nobody, as far as they see.
      expect((await read(by, `/investigation/${id}/compliance`)).to).toBe('2027-03-01');
      for (const path of ['compliance', 'compliance/daily', 'compliance/daily/participants', 'occurrences']) {
        const hidden = await by.get(`/investigation/${id}/${path}?survey=${blinded}`);
        const unknown = await by.get(`/investigation/${id}/${path}?survey=${'e'.repeat(32)}`);
        expectProblem(hidden, 'resource.not-found');
        expect({ ...hidden.body, instance: null }).toEqual({ ...unknown.body, instance: null });
      }
    }
    expect((await read(owner, `/investigation/${id}/compliance`)).to).toBe('2027-03-03');
    expect(await attention(study, owner)).toMatchObject({ silent: ['Chidi'] });
    expect(await occurrences(study, owner, `survey=${blinded}`)).toHaveLength(3);
  });

  test('tells nobody when its participants were there last', async () => {
    const study = await twoSites(null, blindedArm);
    const { owner, editor, responder: chidi } = study;
    const blinded = await newSurvey(study, { for: { arm: ['a'] } });
    const night = await newCase(study, owner);
    setClock('2027-03-02T10:00:00.000Z');
    await newResponse(study, chidi, night);
    setClock('2027-03-03T10:00:00.000Z');
    await newResponse({ survey: blinded }, chidi, night);
    const lastOf = async (by: Person) => {
      const { participants } = await compliance(study, by);
      const { lastAnsweredAt, lastSeenAt } = participants.find(({ name }: Body) => name === 'Chidi');
      return [lastAnsweredAt, lastSeenAt];
    };
    expect(await lastOf(owner)).toEqual(['2027-03-03T10:00:00.000Z', '2027-03-03T10:00:00.000Z']);
    expect(await lastOf(editor)).toEqual(['2027-03-02T10:00:00.000Z', '2027-03-02T10:00:00.000Z']);
  });

  test('leaves a study without others as it is without surveys', async () => {
    const study = await twoSites(null, blindedArm);
    const { id, owner, editor, responder: chidi, survey } = study;
    await owner.patch(`/survey/${survey}`, { status: 'archived' });
    const before = [await compliance(study, editor), await attention(study, editor)];
    await owner.patch(`/investigation/${id}`, { dates: ['surgery'] });
    const blinded = await newSurvey(study, { for: { arm: ['a'] }, reminders: afterSurgery });
    await sent(chidi, blinded, 1, 2, 3);
    await env.DB.prepare('update scheduled_notification set downloaded_at = 1 where survey_id = ?')
      .bind(blinded)
      .run();
    const unseen = (body: Body) =>
      JSON.parse(JSON.stringify(body).replace(/"lastSeenAt":[^,]*/g, '"lastSeenAt":0'));
    expect(unseen([await compliance(study, editor), await attention(study, editor)])).toEqual(unseen(before));
  });

  test('and its property is unknown to all but owners, as a name that nobody declared', async () => {
    const study = await twoSites(null, blindedArm);
    const { id, owner, editor, mona } = study;
    for (const path of [
      'compliance',
      'compliance/daily',
      'compliance/daily/participants',
      'compliance/attention',
      'occurrences',
    ]) {
      const asked = (by: Person, property: string) =>
        by.get(`/investigation/${id}/${path}?property=${property}`);
      expect((await asked(owner, 'arm:a')).status).toBe(200);
      for (const by of [editor, mona]) {
        const [blinded, unknown] = [await asked(by, 'arm:a'), await asked(by, 'age:a')];
        expectProblem(blinded, 'request.invalid');
        expect(blinded.body.errors).toEqual([
          { parameter: 'property', detail: expect.stringContaining('site') },
        ]);
        expect({ ...blinded.body, instance: null }).toEqual({ ...unknown.body, instance: null });
      }
      expectProblem(await asked(owner, 'site:rome'), 'request.invalid');
      expectProblem(await asked(owner, 'site'), 'request.invalid');
    }
  });
});

test('files have a column for each property that the reader knows of', async () => {
  const study = await twoSites(null, blindedArm);
  const { id, owner, editor, responder: chidi, other: dana, survey } = study;
  for (const person of [chidi, dana]) await sent(person, survey, 1);
  const expected = { Chidi: { 'property.site': 'lyon', 'property.arm': 'a' } };
  for (const list of ['compliance', 'occurrences']) {
    const tableFor = async (by: Person) =>
      tableOf((await by.get(`/investigation/${id}/${list}?${march}`, csv)).text);
    const rowOf = (rows: Record<string, string>[]) => rows.find(({ user }) => user === chidi.id) ?? {};
    expect(rowOf(await tableFor(owner))).toMatchObject(expected.Chidi);
    const seen = rowOf(await tableFor(editor));
    expect(seen).toMatchObject({ 'property.site': 'lyon' });
    expect(seen).not.toHaveProperty('property.arm');
    const lines = (await editor.get(`/investigation/${id}/${list}?${march}&property=site:lyon`, ndjson)).text;
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).properties),
    ).toEqual([{ site: 'lyon' }]);
  }
});

test('a request with every filter is one that the database takes', async () => {
  const study = await twoSites();
  const { owner, mona, survey } = study;
  for (const by of [owner, mona])
    for (const path of ['', '/daily/participants'])
      await read(
        by,
        `/investigation/${study.id}/compliance${path}?${march}&survey=${survey}&property=site:lyon&property=arm:a&attention=silent&time=in`,
      );
});
