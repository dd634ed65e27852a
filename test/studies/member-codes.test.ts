import { describe, expect, test } from 'vitest';
import { hashOf } from '../support/chains.ts';
import { linesOf } from '../support/lists.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { days, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { daily, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, stranger } from '../support/worker/world.ts';

/* Codes of a study's people: Chidi is P-017. */

type Named = { name: string; code?: string; invitedAs?: string };

const memberPath = ({ id }: Study, user: string) => `/investigation/${id}/member/${encodeURIComponent(user)}`;
const invite = ({ id, owner }: Study, given: object) =>
  owner.post(`/investigation/${id}/member`, { role: 'responder', ...given });
const setCode = (by: Person, study: Study, user: string, code: string | null) =>
  by.patch(memberPath(study, user), { code });

const listOf = async (by: Person, { id }: Study, query = '') => {
  const { status, text, body } = await by.get(`/investigation/${id}/members${query}`);
  expect(status, text).toBe(200);
  return body;
};
const codesIn = (rows: Named[]) =>
  Object.fromEntries(rows.flatMap(({ name, code }) => (code === undefined ? [] : [[name, code]])));

async function coded() {
  const study = await sleepStudy();
  expect((await setCode(study.editor, study, study.responder.id, 'P-017')).status).toBe(200);
  return study;
}

describe('a code is given', () => {
  test('with a membership, or later, by owners and editors', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder, other } = study;
    const zoe = await signUp('Zoe');
    const added = await invite(study, { user: zoe.id, code: ' P-001\t' });
    expect([added.status, added.body.code]).toEqual([201, 'P-001']);
    for (const [by, user, code] of [
      [owner, responder, 'P-017'],
      [editor, other, 'Zoë ♥ 1'],
      [editor, owner, '7'],
    ] as const) {
      const answer = await setCode(by, study, user.id, code);
      expect(answer).toMatchObject({ status: 200, body: { identifier: user.id, code } });
    }
    const all = { Zoe: 'P-001', Chidi: 'P-017', Dana: 'Zoë ♥ 1', Ada: '7' };
    for (const by of [owner, editor]) expect(codesIn((await listOf(by, study)).members)).toEqual(all);

    expect((await setCode(editor, study, responder.id, null)).body).not.toHaveProperty('code');
    expect((await setCode(owner, study, other.id, 'P-017')).body.code).toBe('P-017');
    const { Chidi: _, ...others } = all;
    expect(codesIn((await listOf(editor, study)).members)).toEqual({ ...others, Dana: 'P-017' });
  });

  test('with an invitation, whose code nobody else gets, and which the new member has', async () => {
    const study = await coded();
    const { owner, editor, responder, other } = study;
    const gil = await stranger('Gil');
    const invited = await invite(study, { email: gil.email, code: 'P-018' });
    expect([invited.status, invited.body]).toEqual([
      201,
      { email: gil.email, role: 'responder', code: 'P-018' },
    ]);
    expect((await listOf(owner, study)).invitations).toMatchObject([{ email: gil.email, code: 'P-018' }]);
    expectProblem(await setCode(editor, study, other.id, 'P-018'), 'member.code-taken', ['/code']);
    expectProblem(await invite(study, { email: 'kim@example.org', code: 'P-018' }), 'member.code-taken');

    const changed = await setCode(owner, study, gil.email, 'P-019');
    expect([changed.status, changed.body]).toEqual([
      200,
      { email: gil.email, role: 'responder', code: 'P-019' },
    ]);
    for (const by of [editor, responder])
      expectProblem(await setCode(by, study, gil.email, 'P-020'), 'action.forbidden');
    expectProblem(await setCode(owner, study, gil.email, 'P-017'), 'member.code-taken');
    expectProblem(await setCode(owner, study, 'kim@example.org', 'P-020'), 'resource.not-found');
    expectProblem(await owner.patch(memberPath(study, gil.email), { role: 'editor' }), 'request.invalid', [
      '/role',
    ]);

    expect((await gil.post('/user', { name: 'Gil' })).status).toBe(201);
    expect((await listOf(owner, study, '?code=P-019')).members).toMatchObject([
      { name: 'Gil', code: 'P-019', invitedAs: gil.email },
    ]);
    expect((await setCode(editor, study, other.id, 'P-018')).status).toBe(200);
  });

  test('with an invitation that a user accepts, and not to those who are members already', async () => {
    const study = await coded();
    const zoe = await signUp('Zoe');
    await invite(study, { email: zoe.email, code: 'P-020' });
    await invite(study, { email: study.responder.email, code: 'P-021' });
    for (const who of [zoe, study.responder])
      expect((await who.post(`/user/me/invitations/${study.id}/accept`)).status).toBe(200);
    expect(codesIn((await listOf(study.owner, study)).members)).toEqual({ Chidi: 'P-017', Zoe: 'P-020' });
    expect((await setCode(study.owner, study, study.other.id, 'P-021')).status).toBe(200);
  });

  test('once: again changes nothing, and another one is not slipped in', async () => {
    const study = await coded();
    const { owner, responder } = study;
    await invite(study, { email: 'kim@example.org', code: 'P-018' });
    await changingNothing(async () => {
      for (const more of [{}, { code: 'P-017' }])
        expect(await invite(study, { user: responder.id, ...more })).toMatchObject({
          status: 200,
          body: { code: 'P-017' },
        });
      for (const more of [{}, { code: 'P-018' }])
        expect(await invite(study, { email: 'kim@example.org', ...more })).toMatchObject({
          status: 200,
          body: { code: 'P-018' },
        });
      expect((await setCode(owner, study, responder.id, 'P-017')).status).toBe(200);
      expectProblem(await invite(study, { user: responder.id, code: 'P-1' }), 'member.exists');
      expectProblem(await invite(study, { user: study.other.id, code: 'P-1' }), 'member.exists');
      expectProblem(await invite(study, { email: 'kim@example.org', code: 'P-1' }), 'invitation.exists');
    });
  });

  test('to one person of a study; other studies have codes of their own', async () => {
    const study = await coded();
    const elsewhere = await coded();
    const zoe = await signUp('Zoe');
    await changingNothing(async () => {
      expectProblem(await setCode(study.owner, study, study.other.id, 'P-017'), 'member.code-taken', [
        '/code',
      ]);
      expectProblem(await invite(study, { user: zoe.id, code: 'P-017' }), 'member.code-taken', ['/code']);
      expectProblem(await invite(study, { email: zoe.email, code: 'P-017' }), 'member.code-taken', ['/code']);
      // The same letters, written with a combining accent.
      expect((await setCode(study.owner, study, study.responder.id, 'P-017 ')).status).toBe(200);
    });
    expect((await setCode(elsewhere.owner, elsewhere, study.responder.id, 'P-018')).status).toBe(404);
    expect((await invite(elsewhere, { user: zoe.id, code: 'Zoë' })).body.code).toBe('Zo\u00eb');
    expectProblem(
      await setCode(elsewhere.owner, elsewhere, elsewhere.other.id, 'Zoe\u0308'),
      'member.code-taken',
    );
  });

  test.each([
    '',
    '   ',
    'x'.repeat(41),
    'a\nb',
    'a\0b',
    'a\u200bb',
    'a\u202eb',
    'a\u2028b',
    '\ud800',
    7,
    ['P-1'],
  ])('but not as %j', async (code) => {
    const study = await sleepStudy();
    await changingNothing(async () => {
      const path = memberPath(study, study.responder.id);
      expectProblem(await study.owner.patch(path, { code }), 'request.invalid', ['/code']);
      for (const who of [{ user: study.responder.id }, { email: 'kim@example.org' }])
        expectProblem(await invite(study, { ...who, code }), 'request.invalid', ['/code']);
    });
  });

  test('of forty letters of any script', async () => {
    const study = await sleepStudy();
    const long = '\u{1f319}'.repeat(40);
    expect((await setCode(study.owner, study, study.responder.id, long)).body.code).toBe(long);
    expectProblem(await study.owner.patch(memberPath(study, study.responder.id), {}), 'request.invalid', [
      '/role',
    ]);
  });

  test('once, when two people are given it at the same time', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder, other } = study;
    const answers = await Promise.all([
      setCode(owner, study, responder.id, 'P-1'),
      setCode(editor, study, other.id, 'P-1'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(Object.values(codesIn((await listOf(owner, study)).members))).toEqual(['P-1']);
  });

  test.each(['a member', 'an invitation'])(
    'once, when an invitation takes it before %s is given it',
    async (to) => {
      const study = await sleepStudy();
      const taking = () => invite(study, { email: 'kim@example.org', code: 'P-1' });
      const { send } = newApp({ db: interruptedDb(taking) });
      const call =
        to === 'a member'
          ? { method: 'PATCH', body: { code: 'P-1' } }
          : { method: 'POST', body: { email: 'lou@example.org', role: 'responder', code: 'P-1' } };
      const path =
        to === 'a member' ? memberPath(study, study.responder.id) : `/investigation/${study.id}/member`;
      const late = await send(path, { ...call, token: study.owner.token });
      expect(late).toMatchObject({ status: 409, body: { code: 'member.code-taken' } });
      expect((await listOf(study.owner, study)).invitations).toMatchObject([
        { email: 'kim@example.org', code: 'P-1' },
      ]);
    },
  );
});

describe('a code stays', () => {
  test('with those who leave: nobody else gets it, and they have it again when they come back', async () => {
    const study = await coded();
    const { owner, responder, other } = study;
    await newResponse(study, responder, await newCase(study, responder));
    expect((await responder.delete(memberPath(study, 'me'))).status).toBe(204);
    const { responses } = (await owner.get(`/investigation/${study.id}/responses?code=P-017`)).body;
    expect(responses).toMatchObject([{ name: 'Chidi', code: 'P-017' }]);
    expectProblem(await setCode(owner, study, other.id, 'P-017'), 'member.code-taken');
    expect((await invite(study, { user: responder.id })).body).toMatchObject({
      name: 'Chidi',
      code: 'P-017',
    });
  });

  test('until the user is deleted, and an address until they leave', async () => {
    const study = await coded();
    const { owner, responder, other } = study;
    const gil = await stranger('Gil');
    await invite(study, { email: gil.email });
    const { identifier } = created(await gil.post('/user', { name: 'Gil' }));
    await gil.delete(memberPath(study, 'me'));
    await invite(study, { user: identifier });
    expect(JSON.stringify(await listOf(owner, study))).not.toContain(gil.email);

    expect((await responder.delete('/user/me')).status).toBe(204);
    expect((await setCode(owner, study, other.id, 'P-017')).status).toBe(200);
  });

  test('reserved by an invitation until that expires or is withdrawn', async () => {
    setClock(startOfTests);
    const study = await sleepStudy();
    const { owner, responder, other } = study;
    await invite(study, { email: 'kim@example.org', code: 'P-1' });
    await invite(study, { email: 'lou@example.org', code: 'P-2' });
    expect((await owner.delete(memberPath(study, 'kim@example.org'))).status).toBe(204);
    expect((await setCode(owner, study, responder.id, 'P-1')).status).toBe(200);
    expectProblem(await setCode(owner, study, other.id, 'P-2'), 'member.code-taken');
    later(30 * days);
    expect((await setCode(owner, study, other.id, 'P-2')).status).toBe(200);
    setClock(startOfTests);
  });
});

describe('the log', () => {
  test('says that a code was given, changed or taken away, and never which, nor any address', async () => {
    const study = await sleepStudy();
    const { owner, editor, responder } = study;
    const gil = await stranger('Gil');
    await invite(study, { email: gil.email, code: 'SECRET-0' });
    await gil.post('/user', { name: 'Gil' });
    await setCode(editor, study, responder.id, 'SECRET-1');
    await setCode(editor, study, responder.id, 'SECRET-2');
    await owner.patch(memberPath(study, responder.id), { role: 'editor', code: 'SECRET-3' });
    await setCode(owner, study, responder.id, null);
    await setCode(owner, study, responder.id, 'SECRET-4');

    const entries = await readLog(study, owner);
    expect(entries.slice(-5)).toMatchObject([
      { action: 'member.code-changed', actor: editor.id, details: { member: responder.id, code: 'given' } },
      { action: 'member.code-changed', details: { member: responder.id, code: 'changed' } },
      {
        action: 'member.role-changed',
        details: {
          member: responder.id,
          before: { role: 'responder' },
          after: { role: 'editor' },
          code: 'changed',
        },
      },
      { action: 'member.code-changed', details: { member: responder.id, code: 'removed' } },
      { action: 'member.code-changed', details: { member: responder.id, code: 'given' } },
    ]);
    const exported = await owner.get(`/investigation/${study.id}/activity`, {
      accept: 'application/x-ndjson',
    });
    expect(JSON.stringify(entries) + exported.text).not.toMatch(/SECRET|example\.org/);
    let previous = '0'.repeat(64);
    for (const { hash, actorName: _, ...entry } of entries) {
      expect(hash).toBe(await hashOf(previous, entry));
      previous = hash;
    }
  });

  test('tells the codes of now beside its entries, and finds entries by them', async () => {
    const study = await coded();
    const { owner, editor, responder, other } = study;
    await setCode(owner, study, owner.id, 'S-1');
    const night = await newCase(study, responder);
    const cases = [{ identifier: night }];
    await responder.post(`/investigation/${study.id}/lock-items`, { cases, status: 'locked' });
    const ask = async (query: string, by = editor) =>
      (await by.get(`/investigation/${study.id}/activity${query}`)).body;
    expect((await ask('')).codes).toEqual({ [owner.id]: 'S-1', [responder.id]: 'P-017' });
    const found = await ask('?code=P-017');
    expect(found.activities.map(({ action }: { action: string }) => action)).toEqual([
      'items.locked',
      'member.code-changed',
      'member.added',
    ]);
    expect(await ask('?code=P-018')).toEqual({ investigation: `investigation/${study.id}`, activities: [] });
    expect(await ask(`?item=${'0'.repeat(32)}`)).not.toHaveProperty('codes');
    await setCode(owner, study, responder.id, 'P-117');
    expect((await ask('')).codes[responder.id]).toBe('P-117');
    expect((await ask('?code=P-017')).activities).toEqual([]);
    expectProblem(await other.get(`/investigation/${study.id}/activity?code=P-117`), 'action.forbidden');
  });
});

describe('a code beside a name', () => {
  /** Chidi was reminded and has answered, and so has Dana; Gil was invited, accepted, and was silent. */
  async function answered() {
    setClock(startOfTests);
    const study = await sleepStudy(daily);
    const { owner, responder, other } = study;
    await setCode(owner, study, responder.id, 'P-017');
    await newPhone(responder);
    await pendingOf(responder);
    for (const who of [responder, other]) await newResponse(study, who, await newCase(study, who));
    setClock('2027-03-01T20:30:00.000Z');
    await ring(responder);
    const gil = await stranger('Gil');
    await invite(study, { email: gil.email, code: '=1+1' });
    await gil.post('/user', { name: 'Gil' });
    return { ...study, gil };
  }

  test('responses, their CSV, compliance, its CSV, who needs attention, and the history have it, and are found by it', async () => {
    const study = await answered();
    const { id, editor, owner, responder, gil } = study;
    const ask = async (path: string, by = editor, accept = 'application/json') => {
      const answer = await by.get(`/investigation/${id}${path}`, { accept });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    const { responses } = (await ask('/responses')).body;
    expect(codesIn(responses)).toEqual({ Chidi: 'P-017' });
    const only = (await ask('/responses?code=P-017')).body.responses;
    expect(only).toEqual(responses.filter(({ responder: by }: { responder: string }) => by === responder.id));
    expect((await ask('/responses?code=P-1')).body.responses).toEqual([]);
    expect((await ask(`/responses?code=P-017&responder=${study.other.id}`)).body.responses).toEqual([]);
    const csv = (await ask('/responses', editor, 'text/csv')).text;
    expect(columnOf(csv, 'code').toSorted()).toEqual(['', 'P-017']);

    const { participants } = (await ask('/compliance?from=2027-03-01&to=2027-03-01')).body;
    expect(codesIn(participants)).toEqual({ Chidi: 'P-017', Gil: '=1+1' });
    expect((await ask('/compliance?code=P-017')).body.participants).toMatchObject([{ name: 'Chidi' }]);
    const table = (await ask('/compliance', editor, 'text/csv')).text;
    expect(columnOf(table, 'code').toSorted()).toEqual(['', "'=1+1", 'P-017']);
    expect(table).not.toContain(gil.email);

    const { attention } = (await ask('/compliance/attention')).body;
    const unreachable = attention.find(({ reason }: { reason: string }) => reason === 'unreachable');
    expect(codesIn(unreachable.first)).toEqual({ Gil: '=1+1' });

    for (const path of [`/investigation/${id}`, `/survey/${study.survey}`]) {
      const byUser = await editor.get(`${path}/notifications?user=${responder.id}`);
      expect(byUser.body).toMatchObject({ code: 'P-017', notifications: [{}, {}] });
      const byCode = await editor.get(`${path}/notifications?code=P-017`);
      expect(byCode.body).toEqual(byUser.body);
      expectProblem(await editor.get(`${path}/notifications?code=P-1`), 'resource.not-found');
      expectProblem(await editor.get(`${path}/notifications`), 'request.invalid', ['?user']);
      const both = await editor.get(`${path}/notifications?code=P-017&user=me`);
      expectProblem(both, 'request.invalid', ['?code']);
    }
    expect((await ask(`/member/${responder.id}`)).body).toMatchObject({ name: 'Chidi', code: 'P-017' });
    const lines = linesOf((await responder.get('/user/me/export')).text);
    expect(lines).toContainEqual({
      kind: 'code',
      investigation: id,
      code: 'P-017',
    });
    expect((await ask('/members?code=P-017', owner)).body.members).toMatchObject([{ name: 'Chidi' }]);
    expectProblem(
      await editor.get(`/investigation/${id}/compliance?code=P-017&attention=silent`),
      'request.invalid',
      ['?attention'],
    );
  });

  test('owners see the address of an accepted invitation; editors do not', async () => {
    const study = await answered();
    const { id, owner, editor, gil } = study;
    const paths = ['/members', '/compliance', '/compliance/attention'];
    const { members } = await listOf(owner, study);
    const { identifier } = members.find(({ name }: Named) => name === 'Gil');
    for (const path of [...paths, `/member/${identifier}`]) {
      expect((await owner.get(`/investigation/${id}${path}`)).text, path).toContain(gil.email);
      expect((await editor.get(`/investigation/${id}${path}`)).text, path).not.toContain(gil.email);
    }
    expect((await editor.patch(memberPath(study, identifier), { code: 'P-2' })).text).not.toContain(
      gil.email,
    );
    expect((await owner.patch(memberPath(study, identifier), { code: 'P-3' })).text).toContain(gil.email);
  });

  test('responders never see codes or addresses of others, nor find anybody by them', async () => {
    const study = await answered();
    const { id, responder, other, gil } = study;
    for (const by of [responder, other])
      for (const path of ['', '/members', '/responses', '/cases', '/surveys']) {
        for (const accept of ['application/json', 'text/csv']) {
          const { status, text } = await by.get(`/investigation/${id}${path}`, { accept });
          expect(status, path).toBe(200);
          expect(text, path).not.toMatch(/P-017|=1\+1/);
          expect(text, path).not.toContain(gil.email);
        }
      }
    expect((await other.get(`/investigation/${id}/responses?code=P-017`)).body.responses).toEqual([]);
    for (const path of ['/members?code=P-017', '/compliance?code=P-017', '/notifications?code=P-017'])
      expectProblem(await other.get(`/investigation/${id}${path}`), 'action.forbidden');
    await changingNothing(async () => {
      expectProblem(await setCode(other, study, other.id, 'P-1'), 'action.forbidden');
      expectProblem(await setCode(other, study, responder.id, 'P-1'), 'resource.not-found');
      const roles = await study.editor.patch(memberPath(study, other.id), { role: 'editor', code: 'P-1' });
      expectProblem(roles, 'action.forbidden');
    });
  });

  test('costs nothing where there are no codes, and a row for each name that has one', async () => {
    const study = await sleepStudy();
    const night = await newCase(study, study.responder);
    for (let n = 0; n < 5; n++) await newResponse(study, study.responder, night);
    const { measure } = countedApp();
    const cost = async () =>
      (await measure(study.owner, 'GET', `/investigation/${study.id}/responses?limit=100`)).rowsRead;
    const before = await cost();
    expect((await setCode(study.owner, study, study.responder.id, 'P-017')).status).toBe(200);
    expect((await cost()) - before).toBe(5);
  });
});

/** The cells of a column of CSV without quotes, in order. */
function columnOf(csv: string, name: string): (string | undefined)[] {
  const [head = '', ...rows] = csv.trimEnd().split('\r\n');
  // The last columns are JSON, with commas in it.
  const place = head.split(',').indexOf(name);
  expect(place).toBeGreaterThan(0);
  return rows.map((row) => row.split(',')[place]);
}
