import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { linesOf, linkedPages } from '../support/lists.ts';
import { newParticipant } from '../support/participants.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { days, hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { signUp, sleepStudy, world } from '../support/worker/world.ts';

/* Owners read who had which role when, and who looked on which day. */

beforeEach(() => setClock(startOfTests));

const noon = '2027-03-01T12:00:00.000Z';

/** A process of its own, whose work after its answers is awaited. */
const deferred: Promise<void>[] = [];
const { send, lines } = newApp({ defer: (work) => void deferred.push(work()) });

async function look(by: Person, path: string) {
  const answer = await send(path, { token: by.token });
  await Promise.all(deferred.splice(0));
  return answer;
}

/** Everybody of the answer, by name. */
async function accessOf(study: Study, query = '', by = study.owner) {
  const { status, text, body } = await look(by, `/investigation/${study.id}/access${query}`);
  expect(status, text).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return Object.fromEntries(body.people.map((one: any) => [one.name, one]));
}

const daysOf = async (study: Study, name: string) =>
  (await accessOf(study))[name].days.map(({ day }: { day: string }) => day);

const changeRole = ({ id, owner }: Study, user: Person, role: string) =>
  owner.patch(`/investigation/${id}/member/${user.id}`, { role });

describe('roles', () => {
  test('of the creator, of those who were added, changed and removed, with their times', async () => {
    const study = await sleepStudy();
    const { id, owner, editor, other } = study;
    setClock(noon);
    await changeRole(study, editor, 'owner');
    await changeRole(study, other, 'editor');
    later(hours);
    await owner.delete(`/investigation/${id}/member/${editor.id}`);
    later(hours);
    created(await owner.post(`/investigation/${id}/member`, { user: editor.id, role: 'editor' }));
    const start = '2027-03-01T08:00:00.000Z';
    const people = await accessOf(study);
    // Chidi is a responder, and always was.
    expect(Object.keys(people).sort()).toEqual(['Ada', 'Bruno', 'Dana']);
    expect(people.Ada).toMatchObject({
      user: owner.id,
      roles: [{ role: 'owner', since: start, until: null }],
    });
    expect(people.Bruno.roles).toEqual([
      { role: 'editor', since: start, until: noon },
      { role: 'owner', since: noon, until: '2027-03-01T13:00:00.000Z' },
      { role: 'editor', since: '2027-03-01T14:00:00.000Z', until: null },
    ]);
    expect(people.Dana.roles).toEqual([
      { role: 'responder', since: start, until: noon },
      { role: 'editor', since: noon, until: null },
    ]);
  });

  test('of a creator who is no owner any more, and of somebody who never looked', async () => {
    const study = await sleepStudy();
    const { id, owner, editor } = study;
    const eve = await signUp('Eve');
    created(await owner.post(`/investigation/${id}/member`, { user: eve.id, role: 'editor' }));
    await changeRole(study, editor, 'owner');
    setClock(noon);
    await owner.delete(`/investigation/${id}/member/${eve.id}`);
    await owner.delete(`/investigation/${id}/member/me`);
    const people = await accessOf(study, '', editor);
    const start = '2027-03-01T08:00:00.000Z';
    expect(people.Ada.roles).toEqual([{ role: 'owner', since: start, until: noon }]);
    expect(people.Eve).toMatchObject({ roles: [{ role: 'editor', since: start, until: noon }], days: [] });
  });

  test('with the code that the study gave', async () => {
    const study = await sleepStudy();
    await study.owner.patch(`/investigation/${study.id}/member/${study.editor.id}`, { code: 'MON-1' });
    expect((await accessOf(study)).Bruno.code).toBe('MON-1');
  });
});

describe('days', () => {
  test('on which owners and editors looked, by UTC, with the first time of each', async () => {
    const study = await sleepStudy();
    const { id, editor } = study;
    setClock(noon);
    await look(editor, `/investigation/${id}`);
    later(hours);
    await look(editor, `/investigation/${id}/cases`);
    later(days);
    await look(editor, `/investigation/${id}/activity`);
    later(2 * days);
    // Refused requests show nothing.
    expectProblem(await look(editor, `/investigation/${id}/access`), 'action.forbidden');
    expect((await accessOf(study)).Bruno.days).toEqual([
      { day: '2027-03-01', firstAt: noon },
      { day: '2027-03-02', firstAt: '2027-03-02T13:00:00.000Z' },
    ]);
    expect((await accessOf(study)).Ada.days.at(-1)).toEqual({
      day: '2027-03-04',
      firstAt: '2027-03-04T13:00:00.000Z',
    });
  });

  test.each(['/case/:case', '/response/:response', '/response/:response/revisions', '/survey/:survey'])(
    'also if they read %s alone',
    async (path) => {
      const study = await sleepStudy();
      const night = await newCase(study, study.responder);
      const response = await newResponse(study, study.responder, night);
      later(days);
      const url = path
        .replace(':case', night)
        .replace(':response', response)
        .replace(':survey', study.survey);
      expect((await look(study.editor, url)).status).toBe(200);
      expect(await daysOf(study, 'Bruno')).toEqual(['2027-03-02']);
    },
  );

  test('of responders and participants are not kept', async () => {
    const study = await sleepStudy();
    const { id, responder, owner } = study;
    const participant = await newParticipant(world, owner, id);
    for (const by of [owner, responder, participant])
      expect((await look(by, `/investigation/${id}`)).status).toBe(200);
    const { results } = await env.DB.prepare('select user_id from access_day where investigation_id = ?')
      .bind(id)
      .all();
    expect(results).toEqual([{ user_id: owner.id }]);
  });

  test('of a responder who becomes an editor are kept within the hour', async () => {
    const study = await sleepStudy();
    const { id, other } = study;
    await look(other, `/investigation/${id}`);
    await changeRole(study, other, 'editor');
    later(61 * minutes);
    await look(other, `/investigation/${id}`);
    expect(await daysOf(study, 'Dana')).toEqual(['2027-03-01']);
  });

  test('are of one study each', async () => {
    const [study, another] = [await sleepStudy(), await sleepStudy()];
    created(
      await another.owner.post(`/investigation/${another.id}/member`, {
        user: study.editor.id,
        role: 'owner',
      }),
    );
    await look(study.editor, `/investigation/${study.id}`);
    expect(await daysOf(study, 'Bruno')).toEqual(['2027-03-01']);
    const elsewhere = await another.owner.get(`/investigation/${another.id}/access`);
    const bruno = elsewhere.body.people.find(({ user }: { user: string }) => user === study.editor.id);
    expect(bruno.days).toEqual([]);
  });

  test('that could not be written are written by the next request, and fail none', async () => {
    const study = await sleepStudy();
    const end = refuseWrites();
    expect((await look(study.editor, `/investigation/${study.id}`)).status).toBe(200);
    end();
    expect(lines.filter(({ event }) => event === 'access.failed')).toHaveLength(1);
    expect((await look(study.editor, `/investigation/${study.id}`)).status).toBe(200);
    expect(await daysOf(study, 'Bruno')).toEqual(['2027-03-01']);
  });
});

describe('the period', () => {
  test('has 28 days by default, and any 366', async () => {
    const study = await sleepStudy();
    const { id, owner } = study;
    await look(owner, `/investigation/${id}`);
    setClock(startOfTests + 28 * days);
    await look(owner, `/investigation/${id}`);
    const { body } = await look(owner, `/investigation/${id}/access`);
    expect(body).toMatchObject({
      investigation: `investigation/${id}`,
      from: '2027-03-02',
      to: '2027-03-29',
    });
    expect(await daysOf(study, 'Ada')).toEqual(['2027-03-29']);
    expect((await accessOf(study, '?from=2027-03-01')).Ada.days).toHaveLength(2);
    expect((await accessOf(study, '?from=2026-03-02&to=2027-03-02')).Ada.days).toHaveLength(1);
  });

  test('that ends before it begins, or is longer, is refused', async () => {
    const { id, owner } = await sleepStudy();
    for (const query of ['from=2027-03-02', 'from=2026-02-28&to=2027-03-01'])
      expectProblem(await owner.get(`/investigation/${id}/access?${query}`), 'request.invalid', ['?from']);
  });
});

test('owners read it, in pages; nobody else does', async () => {
  const study = await sleepStudy();
  const { id, owner, editor, responder } = study;
  const path = `/investigation/${id}/access`;
  for (const name of ['Eve', 'Faye', 'Gil']) {
    const { id: user } = await signUp(name);
    created(await owner.post(`/investigation/${id}/member`, { user, role: 'editor' }));
  }
  const found: { user: string; name: string }[] = [];
  for await (const { body } of linkedPages(owner, `${path}?limit=2`)) {
    expect(body.people.length).toBeLessThanOrEqual(2);
    found.push(...body.people);
  }
  expect(found.map(({ name }) => name).sort()).toEqual(['Ada', 'Bruno', 'Eve', 'Faye', 'Gil']);
  expect(found).toEqual(found.toSorted((a, b) => (a.user < b.user ? -1 : 1)));
  expectProblem(await editor.get(path), 'action.forbidden');
  expectProblem(await responder.get(path), 'action.forbidden');
  expectProblem(await (await sleepStudy()).owner.get(path), 'resource.not-found');
});

test('a person takes their days along, and deletes them with the account', async () => {
  const study = await sleepStudy();
  const { id, owner, editor } = study;
  setClock(noon);
  await look(editor, `/investigation/${id}`);
  const { text } = await editor.get('/user/me/export');
  expect(linesOf(text).filter(({ kind }) => kind === 'access-day')).toEqual([
    { kind: 'access-day', investigation: id, day: '2027-03-01', requestedAt: noon },
  ]);
  expect((await editor.delete('/user/me')).status).toBe(204);
  const { user, ...left } = (await accessOf(study))['Deleted user'];
  expect(left).toMatchObject({ roles: [{ role: 'editor', until: noon }], days: [] });
  expect(user).toBe(editor.id);
  expect((await owner.get(`/investigation/${id}/access`)).status).toBe(200);
});

describe('costs', () => {
  test('one row a day for a person and a study, after the answer, and nothing for each other request', async () => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const { request, counts, settle } = countedApp();
    const paths = [
      `/investigation/${study.id}`,
      `/case/${night}`,
      `/investigation/${study.id}/cases?limit=10`,
    ];
    const costOf = async (path: string) => {
      const before = { ...counts };
      expect((await request(study.editor, 'GET', path)).status).toBe(200);
      const answered = { ...counts };
      await settle();
      return {
        roundTrips: answered.roundTrips - before.roundTrips,
        written: answered.rowsWritten - before.rowsWritten,
        after: counts.roundTrips - answered.roundTrips,
        writtenAfter: counts.rowsWritten - answered.rowsWritten,
      };
    };
    await request(study.editor, 'GET', '/user/me');
    for (const day of [0, 1]) {
      setClock(startOfTests + day * days);
      // A read and a write: the row, and its index. On another day the person is seen anew, too.
      const after = { after: 2 + day, writtenAfter: 2 + day };
      expect(await costOf(paths[0] ?? '')).toEqual({ roundTrips: 1, written: 0, ...after });
      for (const path of paths)
        expect(await costOf(path)).toEqual({ roundTrips: 1, written: 0, after: 0, writtenAfter: 0 });
    }
    // A responder is asked about once an hour, and that they are seen is all that is written.
    const before = { ...counts };
    for (let n = 0; n < 3; n++) await request(study.responder, 'GET', paths[0] ?? '');
    await settle();
    expect(counts.rowsWritten).toBe(before.rowsWritten + 1);
  });

  test('the list reads its people, whatever the study and its log hold', async () => {
    const study = await sleepStudy();
    const { id } = study;
    const people = 2_000;
    await env.DB.batch([
      env.DB.prepare(
        `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?2)
        insert into member (investigation_id, user_id, role, created_at)
        select ?1, printf('%032x', n), 'responder', 0 from counter`,
      ).bind(id, people),
      env.DB.prepare(
        `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?2)
        insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, details, hash)
        select ?1, 3 + n, printf('%032x', n), 0, 'x', 'member.added', '[]', '[]',
          json_object('member', printf('%032x', n), 'before', json_object('role', null), 'after', json_object('role', 'responder')), 'x'
        from counter`,
      ).bind(id, people),
    ]);
    const { measure } = countedApp();
    const cost = await measure(study.owner, 'GET', `/investigation/${id}/access`);
    expect(cost.answer.body.people).toHaveLength(2);
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsRead).toBeLessThanOrEqual(60);
  });
});
