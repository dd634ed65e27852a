import { occurrenceIdentifier } from '../../../../src/identifiers.ts';
import { type Call, type Person, signUp } from '../../../support/people.ts';
import { deleteDownloads, forgetReceipts, insertScheduled } from '../../../support/reminder-rows.ts';
import { heavy, type LargeStudy, manyAnswers, manyItems, windows } from './large-study.ts';

/** One of the most expensive requests to a route. */
export interface Costly {
  /** The expensive part, in words. */
  what: string;
  path: string;
  call: Call;
  /** The status when it does what it costs; by default any that is no refusal. */
  status?: number;
  /** Makes the request possible again each time; not measured. */
  before?: (n: number) => Promise<unknown>;
  /** It lets other requests have turns, as it answers piece by piece or plans survey by survey: the longest turn counts. */
  inTurns?: true;
}

type Table = Record<string, Costly[]>;

const get = (what: string, by: Person, path: string, rest: Partial<Costly> & Call = {}): Costly => {
  const { headers, ...more } = rest;
  return { what, path, call: { token: by.token, ...(headers && { headers }) }, ...more };
};
const send = (
  what: string,
  by: Person,
  [method, path]: readonly [string, string],
  body?: unknown,
  rest: Partial<Costly> = {},
): Costly => ({ what, path, call: { token: by.token, method, body }, ...rest });

const csv = { headers: { accept: 'text/csv' } };
const dayMs = 24 * 3600 * 1000;

/** By the operation of the document: its most expensive requests to a large study. */
export function costlyRequests(large: LargeStudy): Table {
  const { id, owner, responder, survey, wide, service, members, invited } = large;
  const { world, client } = service;
  const run = (sql: string, ...values: (string | number)[]) => client.execute({ sql, values });
  const study = `/investigation/${id}`;
  const listed = (some: string[]) => some.map((identifier) => ({ identifier }));
  const many = { cases: listed(large.cases.slice(0, 500)), responses: listed(large.responses.slice(0, 500)) };
  const reason = 'x'.repeat(500);
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = new Date(Date.now() - 365 * dayMs).toISOString().slice(0, 10);
  const year = `from=${yearAgo}&to=${today}`;
  const open = async () => {
    await run(
      'update study_case set locked_at = null, archived_at = null, deleted_at = null where investigation_id = ?1 and (locked_at is not null or archived_at is not null or deleted_at is not null)',
      id,
    );
    await run(
      'update response set locked_at = null, archived_at = null, deleted_at = null where investigation_id = ?1 and (locked_at is not null or archived_at is not null or deleted_at is not null)',
      id,
    );
    await run('update investigation set frozen_at = null, archived_at = null where id = ?1', id);
    await run('delete from deleted_study where investigation_id = ?1', id);
  };
  const oneSurveyLess = () =>
    run(
      'delete from survey where id = (select max(id) from survey where investigation_id = ?1 and id not in (?2, ?3))',
      id,
      wide,
      survey,
    );
  const archive = async () => {
    await open();
    await run('update investigation set archived_at = 1 where id = ?1', id);
  };
  const short = { subject: 'Diary', body: 'How are you?' };
  const everyMinute = (count: number) => ({
    ...heavy,
    windows: windows(count),
    translations: undefined,
    notification: short,
  });
  const longTexts = Object.fromEntries(
    Object.keys(heavy.translations).map((tag) => [
      tag,
      { title: 'x'.repeat(100), text: 'x'.repeat(1_000), contact: 'x'.repeat(100) },
    ]),
  );
  const wideAnswers = manyAnswers(0, 1000);

  /** Somebody with 200 studies, ten phones and the history of the responder. */
  let heavyUser: Person;
  const makeHeavyUser = async (n: number) => {
    heavyUser = await signUp(world, `Hanna ${n}`);
    await run(
      "insert into member (investigation_id, user_id, role, created_at, participant_since) select investigation_id, ?1, 'responder', 0, 0 from member where user_id = ?2",
      heavyUser.id,
      responder.id,
    );
    for (let k = 0; k < 10; k++)
      await heavyUser.post('/user/me/device', {
        platform: 'android',
        token: `${n}-${k}-${heavyUser.id}`,
        timeZone: 'UTC',
      });
    const surveys = await client.query(
      'select s.id from survey s join member m on m.investigation_id = s.investigation_id and m.user_id = ?1',
      [heavyUser.id],
    );
    const far = { user: heavyUser.id, revision: 1, counter: 1, on: '9000-01-01', dueAt: 9e14 };
    for (const one of insertScheduled(surveys.map((row) => ({ ...far, survey: String(row.id) }))))
      await client.execute(one);
  };
  const asHeavy = (what: string, [method, path]: readonly [string, string], body?: unknown): Costly => ({
    what,
    path,
    before: makeHeavyUser,
    get call() {
      return { token: heavyUser.token, method, body };
    },
  });
  let fresh = 0;

  /** A code of the study, used by somebody. */
  let code = { identifier: '', code: '' };
  let enrolled: { token: string; id: string };
  const makeCode = async () => {
    code = (await owner.post(`${study}/enrolment`, { uses: 100_000 })).body;
  };
  const enrolSomebody = async () => {
    await makeCode();
    const { body } = await world.send('/enrol', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.code, timeZone: 'Europe/Paris' }),
    });
    enrolled = { token: body.token, id: body.user.identifier };
  };
  /** An answer that waits for its place. */
  let aside = '';
  const setAside = async () => {
    aside = `a5${(++fresh).toString(16).padStart(30, '0')}`;
    await run('delete from set_aside where investigation_id = ?1', id);
    await run(
      `insert into set_aside (id, investigation_id, survey_id, case_id, responder_id, reason, items, reasons, given_at,
          outdated, created_at, created_hash, stored_bytes)
        select ?1, investigation_id, survey_id, '', responder_id, 'case-deleted', items, reasons, created_at, 0, created_at,
          '', stored_bytes from response where id = ?2`,
      aside,
      large.longResponse,
    );
  };
  /** A webhook of the study, far behind. */
  let webhook = '';
  const receiver = 'https://receiver.example.org/changes';
  const makeWebhook = async () => {
    await run('delete from webhook where investigation_id = ?1', id);
    webhook = (await owner.post(`${study}/webhook`, { url: receiver, after: 0 })).body.identifier;
  };
  /** A request whose path is known after `before`. */
  const later = (
    what: string,
    before: () => Promise<unknown>,
    make: () => Pick<Costly, 'path' | 'call'>,
    rest: Pick<Costly, 'inTurns'> = {},
  ): Costly => ({
    what,
    before,
    ...rest,
    get path() {
      return make().path;
    },
    get call() {
      return make().call;
    },
  });
  const ofWebhook = (what: string, method: string, path = '', body?: unknown) =>
    later(what, makeWebhook, () => ({
      path: `/webhook/${webhook}${path}`,
      call: { token: owner.token, method, body },
    }));
  const ofCode = (what: string, method: string, path = '') =>
    later(what, makeCode, () => ({
      path: `/enrolment/${code.identifier}${path}`,
      call: { token: owner.token, method },
    }));
  const quiet = { from: '00:00', to: '23:59' };
  const device = (n: number) => `${'d'.repeat(24)}${n.toString(16).padStart(8, '0')}`;
  let devices = 0;

  return {
    health: [get('the only one', owner, '/health')],
    readiness: [get('much is waiting', owner, '/health/ready', { status: 503 })],
    metrics: [{ what: 'all gauges', path: '/metrics', call: { token: 'a-token-of-the-operator' } }],
    readKeySet: [get('the only one', owner, '/.well-known/jwks.json')],
    readPushKey: [get('the only one', owner, '/push/key')],
    explainProblem: [get('a page', owner, '/problems/request.invalid', { headers: { accept: 'text/html' } })],
    openapi: [get('the only one', owner, '/openapi.json')],
    docs: [get('the only one', owner, '/docs', { status: 307 })],
    home: [get('the only one', owner, '/', { status: 307 })],
    consoleConfig: [get('the only one', owner, '/console/config')],
    console: [get('the only one', owner, '/console')],
    participantPageFolder: [get('the only one', owner, '/p', { status: 307 })],
    participantPage: [get('the only one', owner, '/p/')],
    createEnrolment: [
      send(
        'with a long label',
        owner,
        ['POST', `${study}/enrolment`],
        { label: 'x'.repeat(100), uses: 100_000 },
        { before: () => run('delete from enrolment where investigation_id = ?1', id) },
      ),
    ],
    listEnrolments: [get('a page', owner, `${study}/enrolments?limit=1000`, { before: makeCode })],
    readEnrolment: [ofCode('one', 'GET')],
    readEnrolmentQr: [ofCode('the only size', 'GET', '/qr')],
    endEnrolment: [ofCode('one', 'DELETE')],
    aboutCode: [
      later(
        'as long a text as there may be, in as many languages',
        async () => {
          await makeCode();
          await run('update investigation set information = ?1 where id = ?2', JSON.stringify(longTexts), id);
        },
        () => ({
          path: '/enrol/about',
          call: { method: 'POST', body: { code: code.code, language: 'xya-Latn-DE' } },
        }),
      ),
    ],
    relinkMe: [
      later('somebody who enrolled', enrolSomebody, () => ({
        path: '/user/me/relink',
        call: { token: enrolled.token, method: 'POST' },
      })),
    ],
    enrol: [
      later(
        'a new participant',
        makeCode,
        () => ({
          path: '/enrol',
          call: {
            method: 'POST',
            body: { code: code.code, timeZone: 'Europe/Paris', name: 'x'.repeat(200) },
          },
        }),
        { inTurns: true },
      ),
    ],
    relinkMember: [
      later('somebody who enrolled', enrolSomebody, () => ({
        path: `${study}/member/${enrolled.id}/relink`,
        call: { token: owner.token, method: 'POST' },
      })),
    ],
    renewToken: [
      later('of somebody who enrolled', enrolSomebody, () => ({
        path: '/user/me/token',
        call: { token: enrolled.token, method: 'POST' },
      })),
    ],
    endTokens: [
      later('of somebody who enrolled', enrolSomebody, () => ({
        path: '/user/me/tokens',
        call: { token: enrolled.token, method: 'DELETE' },
      })),
    ],
    createWebhook: [
      send(
        'behind 20,000 changes',
        owner,
        ['POST', `${study}/webhook`],
        { url: `${receiver}/${'x'.repeat(1_900)}`, after: 0 },
        { before: () => run('delete from webhook where investigation_id = ?1', id) },
      ),
    ],
    listWebhooks: [get('one', owner, `${study}/webhooks`, { before: makeWebhook })],
    readWebhook: [ofWebhook('one', 'GET')],
    updateWebhook: [ofWebhook('to all kinds', 'PATCH', '', { url: receiver, state: 'paused' })],
    deleteWebhook: [ofWebhook('one', 'DELETE')],
    rotateWebhookSecret: [ofWebhook('one', 'POST', '/rotate')],
    replayWebhook: [ofWebhook('from the beginning', 'POST', '/replay', { after: 0 })],
    testWebhook: [ofWebhook('without an answer', 'POST', '/test')],
    listWebhookDeliveries: [ofWebhook('none', 'GET', '/deliveries')],
    receiveRelayEvent: [
      send(
        'a message of nearly 1 MiB',
        owner,
        ['POST', '/relay/events'],
        { Type: 'Notification', Message: 'x'.repeat(1_000_000) },
        { status: 413 },
      ),
      send(
        'as long a message as it takes',
        owner,
        ['POST', '/relay/events'],
        { Type: 'Notification', Message: 'x'.repeat(16_000) },
        { status: 400 },
      ),
    ],
    readAvatar: [get('a long name', owner, `/user/${owner.id}/avatar`)],
    signUp: [
      send('an existing user', owner, ['POST', '/user'], { name: 'x'.repeat(200) }),
      asHeavy('of 200 studies', ['POST', '/user'], { name: 'Hanna', acceptInvitations: true }),
      {
        what: 'with many invitations that wait',
        path: '/user',
        before: async () => {
          await run('delete from member where user_id = ?1', invited.id);
        },
        call: { token: invited.token, method: 'POST', body: { name: 'Iris', acceptInvitations: true } },
      },
    ],
    readUser: [get('with ten devices', responder, '/user/me')],
    updateUser: [
      send(
        'another time for 200 studies',
        responder,
        ['PATCH', '/user/me'],
        { customRemindersTime: '08:00', timeZone: 'America/St_Johns', name: 'Chidi' },
        {
          before: (n) => responder.patch('/user/me', { customRemindersTime: `1${n % 10}:00` }),
          inTurns: true,
        },
      ),
      send(
        'quiet hours all day for 200 studies',
        responder,
        ['PATCH', '/user/me'],
        { quietHours: quiet },
        {
          before: () => responder.patch('/user/me', { quietHours: null }),
          inTurns: true,
        },
      ),
    ],
    deleteUser: [asHeavy('of 200 studies', ['DELETE', '/user/me'])],
    exportUser: [get('20,000 answers and 40,000 reminders', responder, '/user/me/export', { inTurns: true })],
    pauseReminders: [
      send(
        'all of 200 studies',
        responder,
        ['PUT', '/user/me/pause'],
        { until: null },
        {
          before: () => responder.delete('/user/me/pause'),
        },
      ),
    ],
    resumeReminders: [
      send('all of 200 studies', responder, ['DELETE', '/user/me/pause'], undefined, {
        before: () => responder.put('/user/me/pause', { until: null }),
      }),
    ],
    createInvestigation: [
      send(
        'a long name',
        invited,
        ['POST', '/investigation'],
        { name: 'x'.repeat(200) },
        {
          before: () =>
            Promise.all([
              run('update user set study_count = 0 where id = ?1', invited.id),
              run('delete from member where user_id = ?1', invited.id),
            ]),
        },
      ),
    ],
    listInvestigations: [
      get('200 studies', responder, '/investigation?limit=1000'),
      get('200 studies, all at once', responder, '/investigation'),
      get('deleted ones', owner, '/investigation?status=deleted'),
    ],
    readInvestigation: [get('the large one', owner, study)],
    updateInvestigation: [
      send(
        'another calendar for 1,000 members',
        owner,
        ['PATCH', study],
        { timeZone: 'UTC', startsOn: '2019-01-01' },
        {
          before: () =>
            run(
              "update investigation set time_zone = 'Europe/Paris', starts_on = '2020-01-01' where id = ?1",
              id,
            ),
        },
      ),
      send('archived', owner, ['PATCH', study], { status: 'archived' }, { before: open }),
    ],
    deleteInvestigation: [send('the large one', owner, ['DELETE', study], undefined, { before: archive })],
    restoreInvestigation: [
      send('the large one', owner, ['POST', `${study}/restore`], undefined, {
        before: async () => {
          await archive();
          await owner.delete(study);
        },
      }),
    ],
    listMembers: [
      get('1,000 with codes', owner, `${study}/members?limit=1000`, { before: open }),
      get('the editors', owner, `${study}/members?limit=1000&role=editor`),
      get('by a code', owner, `${study}/members?code=P-1000`),
    ],
    addMember: [
      send(
        'by address',
        owner,
        ['POST', `${study}/member`],
        { email: 'zoe@example.org', role: 'responder', code: 'x'.repeat(40) },
        {
          before: () => run("delete from invitation where email = 'zoe@example.org'"),
        },
      ),
      {
        ...send('who has 200 studies already', owner, ['POST', `${study}/member`], undefined),
        inTurns: true,
        before: async (n) => {
          await makeHeavyUser(1000 + n);
          await run('delete from member where investigation_id = ?1 and user_id = ?2', id, heavyUser.id);
        },
        get call() {
          return { token: owner.token, method: 'POST', body: { user: heavyUser.id, role: 'responder' } };
        },
      },
    ],
    updateMember: [
      send(
        'with reminders of 200 surveys',
        owner,
        ['PATCH', `${study}/member/${members[7]}`],
        { role: 'editor', code: 'Q-7' },
        {
          before: () => owner.patch(`${study}/member/${members[7]}`, { role: 'responder', code: 'R-7' }),
        },
      ),
    ],
    removeMember: [
      {
        what: 'with reminders of 200 surveys',
        inTurns: true,
        path: `${study}/member/me`,
        before: makeHeavyUser,
        get call() {
          return { token: heavyUser.token, method: 'DELETE' };
        },
      },
    ],
    readMember: [get('one of 1,000', owner, `${study}/member/${members[900]}`)],
    listInvitations: [
      get('67', invited, '/user/me/invitations?limit=100', {
        before: () =>
          run(
            "insert into invitation (email, investigation_id, role, invited_by, created_at) select ?1, id, 'responder', ?2, ?3 from investigation where id like '60%' and substr(id, 32) in ('1', '5', '9') on conflict do nothing",
            invited.email,
            owner.id,
            Date.now(),
          ),
      }),
    ],
    acceptInvitation: [
      send('of the large study', invited, ['POST', `/user/me/invitations/${id}/accept`], undefined, {
        before: async () => {
          await run('delete from member where user_id = ?1', invited.id);
          await run(
            "insert into invitation (email, investigation_id, role, invited_by, created_at) select ?1, ?2, 'responder', ?3, ?4 on conflict do nothing",
            invited.email,
            id,
            owner.id,
            Date.now(),
          );
        },
      }),
    ],
    declineInvitation: [
      send('of the large study', invited, ['POST', `/user/me/invitations/${id}/decline`], undefined, {
        before: async () => {
          await run('delete from member where user_id = ?1 and investigation_id = ?2', invited.id, id);
          await run(
            "insert into invitation (email, investigation_id, role, invited_by, created_at) select ?1, ?2, 'responder', ?3, ?4 on conflict do nothing",
            invited.email,
            id,
            owner.id,
            Date.now(),
          );
        },
      }),
    ],
    listCases: [
      get('a page', owner, `${study}/cases?limit=1000`, { before: open }),
      get('a page of all since the beginning', owner, `${study}/cases?limit=1000&status=all&since=1`),
      get('a page as CSV', owner, `${study}/cases?limit=1000`, csv),
      get("a responder's", responder, `${study}/cases?limit=1000`),
      get('all', owner, `${study}/cases`, { inTurns: true }),
    ],
    createCase: [
      send('a long label', owner, ['POST', `${study}/case`], {
        label: '\u{1F469}'.repeat(200),
        hidden: true,
      }),
    ],
    readCase: [get('one of 5,000', owner, `/case/${large.case}`)],
    updateCase: [
      send(
        'a long label',
        owner,
        ['PATCH', `/case/${large.case}`],
        { label: 'x'.repeat(200) },
        {
          before: (n) => owner.patch(`/case/${large.case}`, { label: `Night ${n}` }),
        },
      ),
    ],
    createSurvey: [
      send(
        '1,000 items, in nearly 1 MiB',
        owner,
        ['POST', `${study}/survey`],
        { name: 'Wide', items: manyItems() },
        {
          before: oneSurveyLess,
        },
      ),
      send(
        'fifty languages and twelve windows',
        owner,
        ['POST', `${study}/survey`],
        { name: 'Heavy', items: manyItems(1000, 500), reminders: heavy },
        {
          before: oneSurveyLess,
        },
      ),
    ],
    listSurveys: [
      get('a page', owner, `${study}/surveys?limit=1000`),
      get('a page as CSV', owner, `${study}/surveys?limit=1000`, csv),
      get('200, of 400 KB each', owner, `${study}/surveys`, { inTurns: true }),
      get('200, of 400 KB each, as CSV', owner, `${study}/surveys`, { ...csv, inTurns: true }),
    ],
    readSurvey: [get('a large one', owner, `/survey/${survey}`)],
    updateSurvey: [
      send(
        'nearly 1 MiB of items',
        owner,
        ['PATCH', `/survey/${wide}`],
        { items: manyItems(500, 1800) },
        {
          before: (n) => owner.patch(`/survey/${wide}`, { items: manyItems(500, 1700 + n) }),
        },
      ),
      send(
        'fifty languages and twelve windows',
        owner,
        ['PATCH', `/survey/${survey}`],
        { reminders: heavy },
        {
          before: () => owner.patch(`/survey/${survey}`, { reminders: { ...heavy, expiresAfter: 6 } }),
        },
      ),
    ],
    downloadSurvey: [
      send(
        'the first time, with fixed reminders',
        responder,
        ['POST', `/survey/${survey}/download`],
        undefined,
        {
          before: () => client.execute(deleteDownloads(responder.id)),
          inTurns: true,
        },
      ),
    ],
    listResponses: [
      get('a page', owner, `${study}/responses?limit=1000`),
      get('a page of all since the beginning', owner, `${study}/responses?limit=1000&status=all&since=1`),
      get('a page of a wide table', owner, `${study}/responses?limit=1000&survey=${wide}`, csv),
      get(
        'a page with a response of a megabyte',
        owner,
        `${study}/responses?limit=1000&since=${Math.floor(Date.now() / 1000) - 3600}`,
      ),
      get("a responder's", responder, `${study}/responses?limit=1000&case=${large.case}`),
      get('of a responder, by code', owner, `${study}/responses?limit=1000&code=P-1`),
      get('all', owner, `${study}/responses`, { inTurns: true }),
      get('all of a wide survey as CSV', owner, `${study}/responses?survey=${survey}`, {
        ...csv,
        inTurns: true,
      }),
    ],
    createResponse: [
      send('1,000 answers, in nearly 1 MiB', responder, ['POST', `/survey/${survey}/response`], {
        case: large.case,
        items: wideAnswers,
      }),
    ],
    listSetAside: [get('one of a megabyte', owner, `${study}/set-aside?limit=1000`, { before: setAside })],
    placeAnswer: [
      later('of a megabyte', setAside, () => ({
        path: `/set-aside/${aside}/place`,
        call: { token: owner.token, method: 'POST', body: { case: large.case } },
      })),
    ],
    discardAnswer: [
      later('of a megabyte', setAside, () => ({
        path: `/set-aside/${aside}/discard`,
        call: { token: owner.token, method: 'POST', body: {} },
      })),
    ],
    readSurveyItems: [get('a large one', owner, `/survey/${survey}/items?at=2000-01-01T00:00:00Z`)],
    readResponse: [get('of a megabyte', responder, `/response/${large.longResponse}`)],
    updateResponse: [
      send(
        'a merge of a megabyte',
        responder,
        ['PATCH', `/response/${large.longResponse}`],
        { items: wideAnswers, reason },
        {
          before: (n) =>
            responder.patch(`/response/${large.longResponse}`, {
              items: { ...wideAnswers, q0: `${n}`, q1: null },
            }),
        },
      ),
      send(
        'one answer of a megabyte',
        responder,
        ['PATCH', `/response/${large.longResponse}`],
        { items: { q1: 'x' } },
        {
          before: (n) => responder.patch(`/response/${large.longResponse}`, { items: { q1: `${n}` } }),
        },
      ),
    ],
    listRevisions: [
      get('1,000 small ones', responder, `/response/${large.response}/revisions?limit=1000`),
      get(
        'as many of a megabyte as there are',
        responder,
        `/response/${large.longResponse}/revisions?limit=1000`,
      ),
    ],
    lockItems: [
      send(
        '1,000 items',
        owner,
        ['POST', `${study}/lock-items`],
        { ...many, status: 'locked', reason },
        { before: open },
      ),
      send(
        '1,000 items, each named twice',
        owner,
        ['POST', `${study}/lock-items`],
        {
          cases: listed(Array.from({ length: 2 }, () => large.cases.slice(0, 1000)).flat()),
          status: 'locked',
        },
        { before: open },
      ),
    ],
    archiveItems: [
      send(
        '1,000 items',
        owner,
        ['POST', `${study}/archive-items`],
        { ...many, status: 'archived', reason },
        { before: open },
      ),
    ],
    deleteItems: [
      send(
        '1,000 items',
        owner,
        ['POST', `${study}/delete-items`],
        { ...many, status: 'deleted', reason },
        { before: open },
      ),
    ],
    lockMatching: [
      send(
        'everything',
        owner,
        ['POST', `${study}/lock-matching`],
        { status: 'locked', filter: {}, reason },
        { before: open, inTurns: true },
      ),
      send(
        'everything, counted',
        owner,
        ['POST', `${study}/lock-matching`],
        { status: 'locked', filter: {}, dryRun: true },
        { before: open },
      ),
      send(
        'everything that changed, counted',
        owner,
        ['POST', `${study}/lock-matching`],
        { status: 'locked', filter: { since: 1 }, dryRun: true },
        { before: open },
      ),
      send("a responder's, counted", responder, ['POST', `${study}/lock-matching`], {
        status: 'locked',
        filter: {},
        dryRun: true,
      }),
    ],
    freezeStudy: [
      send(
        'the large one',
        owner,
        ['POST', `${study}/freeze`],
        { status: 'frozen', reason },
        { before: open },
      ),
    ],
    listCompliance: [
      get('1,000 participants of a year', owner, `${study}/compliance?limit=1000&${year}`, {
        before: open,
        inTurns: true,
      }),
      get('100 participants of a year', owner, `${study}/compliance?${year}`, { inTurns: true }),
      get('100 participants by default', owner, `${study}/compliance`, { inTurns: true }),
      get('one who has 96 reminders each day', owner, `${study}/compliance?${year}&user=${responder.id}`, {
        inTurns: true,
      }),
      get('the silent ones', owner, `${study}/compliance?limit=1000&${year}&attention=silent`, {
        inTurns: true,
      }),
      get('all as CSV', owner, `${study}/compliance?${year}`, { ...csv, inTurns: true }),
    ],
    readDailyCompliance: [
      get('a year of 200 surveys', owner, `${study}/compliance/daily?${year}`, { inTurns: true }),
      get('a year of one survey', owner, `${study}/compliance/daily?${year}&survey=${survey}`, {
        inTurns: true,
      }),
    ],
    listParticipantDays: [
      get(
        'as many participants of a year as one page has',
        owner,
        `${study}/compliance/daily/participants?limit=1000&${year}`,
        {
          before: open,
        },
      ),
      get('100 participants by default', owner, `${study}/compliance/daily/participants`),
    ],
    countAttention: [get('of 1,000 members', owner, `${study}/compliance/attention`)],
    listChanges: [
      get('a page with bodies', owner, `${study}/changes?after=0&limit=1000&include=body`),
      get('a page', owner, `${study}/changes?after=0&limit=1000`),
      get('the end', owner, `${study}/changes?after=20000&limit=1000&include=body`),
    ],
    listActivities: [
      get('a page', owner, `${study}/activity?limit=1000`),
      get('by an item', owner, `${study}/activity?limit=1000&item=${large.cases[0]}`),
      get('by an action', owner, `${study}/activity?limit=1000&action=survey.changed`),
      get('by a code', owner, `${study}/activity?limit=1000&code=P-1`),
      get('all', owner, `${study}/activity`, { headers: { accept: 'application/x-ndjson' }, inTurns: true }),
    ],
    reviewActivities: [
      send(
        'a part beside another',
        owner,
        ['POST', `${study}/activity/review`],
        { from: 2, to: 2, comment: reason },
        { before: open },
      ),
    ],
    listAccesses: [get('a year of everybody', owner, `${study}/access?${year}`)],
    verifyActivities: [
      get('as much as one call walks', owner, `${study}/activity/verify`, { inTurns: true }),
    ],
    listActivityItems: [get('1,000 of many', owner, `${study}/activity/${large.entry}/items?limit=1000`)],
    readHead: [get('the only one', owner, `${study}/activity/head`)],
    listDevices: [get('ten', responder, '/user/me/devices')],
    registerDevice: [
      {
        what: 'the eleventh, of somebody with 200 studies',
        path: '/user/me/device',
        get call() {
          return {
            token: responder.token,
            method: 'POST',
            body: {
              platform: 'android',
              token: `${++fresh}${'x'.repeat(2000)}`,
              timeZone: 'Europe/Paris',
              language: 'fr-CA',
            },
          };
        },
      },
    ],
    readDevice: [get('one of ten', responder, '/user/me/devices')],
    updateDevice: [
      send(
        'another zone for 200 studies',
        responder,
        ['PATCH', `/device/${large.device}`],
        { timeZone: 'Asia/Calcutta' },
        {
          inTurns: true,
          before: async (n) => {
            await restoreDevice();
            await responder.patch(`/device/${large.device}`, { timeZone: n % 2 ? 'UTC' : 'Pacific/Apia' });
          },
        },
      ),
    ],
    deleteDevice: [
      {
        what: 'of somebody with 200 studies',
        inTurns: true,
        get path() {
          return `/device/${device(devices)}`;
        },
        call: { token: responder.token, method: 'DELETE' },
        before: async () => {
          devices += 1;
          await responder.post('/user/me/device', {
            platform: 'android',
            token: `gone-${devices}`,
            timeZone: 'UTC',
            identifier: device(devices),
          });
        },
      },
    ],
    testDevice: [
      send('the only one', responder, ['POST', `/device/${large.device}/test`], undefined, {
        before: restoreDevice,
      }),
    ],
    previewReminders: [
      ...['0001-01-01', '2027-03-01'].flatMap((startsOn) =>
        [4, 2, 1].flatMap((count) =>
          [undefined, '9990-01-01T00:00:00.000Z'].map((from) =>
            send(
              `400 of ${12 * count} a day with nudges and quiet hours, since ${startsOn}, from ${from ?? 'then'}`,
              owner,
              ['POST', '/reminders/preview'],
              {
                reminders: {
                  ...everyMinute(count),
                  translations: heavy.translations,
                  expiresAfter: 1440,
                  followUps: { every: 5, max: Math.floor(100 / (12 * count)) - 1 },
                },
                timeZone: 'America/St_Johns',
                startsOn,
                quietHours: { from: '23:59', to: '23:00' },
                count: 400,
                ...(from && { from }),
              },
            ),
          ),
        ),
      ),
    ],
    listUpcoming: [
      get('400 in windows', responder, `/survey/${survey}/reminders/upcoming?count=400`),
      get(
        "400 of somebody else's",
        owner,
        `/survey/${survey}/reminders/upcoming?count=400&user=${responder.id}`,
      ),
    ],
    previewReminderChange: [undefined, [{ from: '08:00', to: '20:00', count: 10 }]].map((windows) =>
      send(
        `of 1,000 members${windows ? ', with ten times a day' : ''}`,
        owner,
        ['POST', `/survey/${survey}/reminders/change`],
        {
          reminders: {
            type: 'rolling',
            recurrence: '30 8 * * *',
            notification: { subject: 'Diary', body: 'How are you?' },
            ...(windows && { recurrence: '* * * * *', windows }),
          },
          limit: 1000,
        },
        { inTurns: true },
      ),
    ),
    listTimeZones: [get('with 200 studies', responder, '/user/me/time-zones')],
    readReach: [get('of 1,000 members', owner, `/survey/${survey}/reminders/reach`)],
    readAgenda: [
      get(
        'of 400 surveys in 200 studies, in quiet hours all day',
        responder,
        `/user/me/agenda?count=64&device=${large.device}`,
        {
          inTurns: true,
          before: async () => {
            await restoreDevice();
            await run(
              "update user set quiet_hours_start = '00:00', quiet_hours_end = '23:59' where id = ?1",
              responder.id,
            );
          },
        },
      ),
      get('of 400 surveys in 200 studies', responder, `/user/me/agenda?count=64&device=${large.device}`, {
        inTurns: true,
        before: () =>
          run('update user set quiet_hours_start = null, quiet_hours_end = null where id = ?1', responder.id),
      }),
    ],
    listUserNotifications: [get('1,000 of 40,000', responder, '/user/me/notifications?limit=1000')],
    listSurveyNotifications: [
      get('1,000 of 35,000', owner, `/survey/${survey}/notifications?limit=1000&user=${responder.id}`),
    ],
    listStudyNotifications: [
      get('1,000 of 40,000', owner, `${study}/notifications?limit=1000&user=${responder.id}`),
    ],
    readNotification: [get('one of 40,000', owner, `/notification/${large.notifications[0]}`)],
    createReceipt: [
      send(
        'of one of 40,000',
        responder,
        ['POST', `/notification/${large.notifications[0]}/receipt`],
        { event: 'opened' },
        {
          before: () => client.execute(forgetReceipts(responder.id, 'opened')),
        },
      ),
    ],
    createReceipts: [
      send(
        '500, of as many notifications',
        responder,
        ['POST', '/user/me/receipts'],
        {
          receipts: large.notifications
            .slice(0, 500)
            .map((notification) => ({ notification, event: 'shown', at: new Date().toISOString() })),
        },
        {
          before: () => client.execute(forgetReceipts(responder.id, 'shown')),
        },
      ),
      send('500, of notifications that do not exist', responder, ['POST', '/user/me/receipts'], {
        receipts: Array.from({ length: 500 }, (_, n) => ({
          notification: occurrenceIdentifier(responder.id, `${n}`, n, '2027-03-01'),
          event: 'shown',
          at: new Date().toISOString(),
        })),
      }),
    ],
    snoozeNotification: [
      send(
        'one of 40,000',
        responder,
        ['POST', `/notification/${large.notifications[0]}/snooze`],
        { minutes: 5 },
        { status: 409 },
      ),
    ],
  };

  /** Registering one device too many takes the place of the oldest. */
  async function restoreDevice() {
    const { status } = await responder.get(`/device/${large.device}`);
    if (status === 200) return;
    await responder.post('/user/me/device', {
      platform: 'android',
      token: 'phone',
      timeZone: 'Europe/Paris',
      language: 'xaa',
      identifier: large.device,
    });
  }
}
