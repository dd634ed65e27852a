import { occurrenceIdentifier } from '../../../../src/identifiers.ts';
import { type Call, type Person, signedIn, signUp } from '../../../support/people.ts';
import { inDays, newProgram } from '../../../support/programs.ts';
import { deleteDownloads, forgetReceipts, insertScheduled } from '../../../support/reminder-rows.ts';
import type { Route } from '../fuzz/requests.ts';
import type { Schema } from '../fuzz/values.ts';
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

/** Differences of a request from the plain one to its route: its sender, its query and its body. */
interface Case extends Pick<Costly, 'status' | 'before' | 'inTurns'> {
  what?: string;
  by?: Person | (() => Person);
  query?: string;
  /** By default the example of the document. */
  body?: unknown;
  accept?: 'text/csv' | 'application/x-ndjson';
  /** The plain request to this route is no request. */
  instead?: true;
}

const dayMs = 24 * 3600 * 1000;
const whole = { inTurns: true, query: '' } as const;

/** The longest series of a person's own dates. */
const personal = [
  {
    what: '400 listed days',
    reminders: {
      type: 'fixed',
      from: { date: 'surgery' },
      days: Array.from({ length: 400 }, (_, n) => 9 * n - 300),
    },
    dates: { surgery: '2027-03-01' },
  },
  {
    what: 'bursts',
    reminders: { type: 'fixed', from: 'joined', days: { burst: 300, every: 365, times: 10 } },
    joinedOn: '0001-01-01',
  },
  { what: 'a weekday that is drawn', reminders: { type: 'rolling', pick: 1 }, startsOn: '0001-01-01' },
];

/** Of a route that reads: a page and, of lists, everything since the beginning, all at once, and the same as CSV. */
function plainCases({ method, operation }: Route): Case[] {
  if (method !== 'get') return [];
  const parameters = (operation.parameters ?? []).filter((parameter) => 'name' in parameter);
  const has = (of: string) => parameters.some(({ name }) => name === of);
  const limit = parameters.find(({ name }) => name === 'limit');
  if (!limit) return [{ what: 'as it is', inTurns: true }];
  const page = { query: `limit=${(limit.schema as Schema).maximum}` };
  const isTable = 'text/csv' in ((operation.responses[200] as { content?: object }).content ?? {});
  return [
    { what: 'a page', ...page },
    ...(has('since')
      ? [
          {
            what: 'a page since the beginning',
            query: `${page.query}&${has('status') ? 'status=all&since=1' : 'since=1970-01-01T00:00:00Z'}`,
          },
        ]
      : []),
    ...(isTable
      ? [
          { what: 'a page as CSV', accept: 'text/csv' as const, ...page },
          { what: 'all', ...whole },
          { what: 'all as CSV', accept: 'text/csv' as const, ...whole },
        ]
      : []),
  ];
}

/** The most expensive requests to each route of the document, of a large study. */
export function costlyRequests(large: LargeStudy): (route: Route) => Costly[] {
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

  const dateNames = Array.from({ length: 10 }, (_, n) => `date ${n}`);
  const coursesOf = (date: string) =>
    members.slice(0, 1000).map((user) => ({
      user,
      dates: Object.fromEntries(dateNames.map((name) => [name, date])),
      participation: { from: '2020-01-01', until: `2040${date.slice(4)}` },
    }));

  /** The names in paths; some are known once a request is prepared. */
  const known = {
    user: 'me',
    member: members[7] ?? '',
    investigation: id,
    invitations: id,
    activity: large.entry,
    survey,
    case: large.case,
    response: large.longResponse,
    device: large.device,
    notification: large.notifications[0] ?? '',
    problems: 'request.invalid',
  };
  const names: Record<string, string> = {};

  const open = async () => {
    for (const table of ['study_case', 'response'])
      await run(
        `update ${table} set locked_at = null, archived_at = null, deleted_at = null where investigation_id = ?1
          and (locked_at is not null or archived_at is not null or deleted_at is not null)`,
        id,
      );
    await run('update investigation set frozen_at = null, archived_at = null where id = ?1', id);
    await run('delete from deleted_study where investigation_id = ?1', id);
  };
  const archive = async () => {
    await open();
    await run('update investigation set archived_at = 1 where id = ?1', id);
  };
  const oneSurveyLess = () =>
    run(
      'delete from survey where id = (select max(id) from survey where investigation_id = ?1 and id not in (?2, ?3))',
      id,
      wide,
      survey,
    );
  const everyMinute = (count: number) => ({ ...heavy, windows: windows(count) });
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
    for (const statement of insertScheduled(surveys.map((row) => ({ ...far, survey: String(row.id) }))))
      await client.execute(statement);
  };
  const asHeavy = { by: () => heavyUser, before: makeHeavyUser, inTurns: true } as const;
  let fresh = 0;

  /** A code of the study, used by somebody. */
  let code = { identifier: '', code: '' };
  let enrolled: Person;
  const makeCode = async () => {
    code = (await owner.post(`${study}/enrolment`, { uses: 100_000 })).body;
    names.enrolment = code.identifier;
  };
  const noPrograms = async () => {
    await run('delete from member where user_id in (select u.id from user u where u.made_by = ?1)', owner.id);
    await run('delete from user where made_by = ?1', owner.id);
  };
  let justSignedIn = owner;
  const signInAndClear = async () => {
    justSignedIn = await signedIn(world, owner);
    await noPrograms();
  };
  /** The only one, so that later requests find the study as it was. */
  const makeProgram = async () => {
    await noPrograms();
    names.token = (await newProgram(world, owner, id)).id;
  };
  /** A thousand programs of the study. */
  const makePrograms = async () => {
    await makeProgram();
    await run(
      `with recursive n(value) as (select 1 union all select value + 1 from n where value < 1000)
        insert into user (id, issuer, subject, name, made_by, expires_at, created_at)
        select format('%032x', value), 'copies', value, 'A copy', ?1, 9e14, 0 from n`,
      owner.id,
    );
    await run(
      "insert into member (investigation_id, user_id, role, created_at) select ?1, u.id, 'monitor', 0 from user u where u.made_by = ?2 and u.created_at = 0",
      id,
      owner.id,
    );
  };
  const enrolSomebody = async () => {
    await makeCode();
    const { body } = await world.send('/enrol', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.code, timeZone: 'Europe/Paris' }),
    });
    enrolled = { ...owner, token: body.token };
    names.member = body.user.identifier;
  };
  const asEnrolled = { by: () => enrolled, before: enrolSomebody };
  const ofCode: Case[] = [{ before: makeCode, instead: true }];
  /** An answer that waits for its place. */
  const setAside = async () => {
    names['set-aside'] = `a5${(++fresh).toString(16).padStart(30, '0')}`;
    await run('delete from set_aside where investigation_id = ?1', id);
    await run(
      `insert into set_aside (id, investigation_id, survey_id, case_id, responder_id, reason, items, reasons, given_at,
          outdated, created_at, created_hash, stored_bytes)
        select ?1, investigation_id, survey_id, '', responder_id, 'case-deleted', items, reasons, created_at, 0, created_at,
          '', stored_bytes from response where id = ?2`,
      names['set-aside'],
      large.longResponse,
    );
  };
  /** A webhook of the study, far behind. */
  const receiver = 'https://receiver.example.org/changes';
  const noWebhooks = () => run('delete from webhook where investigation_id = ?1', id);
  const makeWebhook = async () => {
    await noWebhooks();
    names.webhook = (await owner.post(`${study}/webhook`, { url: receiver, after: 0 })).body.identifier;
  };
  const ofWebhook = (body?: unknown): Case[] => [{ before: makeWebhook, instead: true, body }];
  const invite = (to: string) =>
    run(
      `insert into invitation (email, investigation_id, role, invited_by, created_at)
        select ?1, id, 'responder', ?2, ?3 from investigation where ${to} on conflict do nothing`,
      invited.email,
      owner.id,
      Date.now(),
    );
  const inviteAnew = async () => {
    await run('delete from member where user_id = ?1 and investigation_id = ?2', invited.id, id);
    await invite(`id = '${id}'`);
  };
  const quietHours = (from: string | null, to: string | null) => async () => {
    await restoreDevice();
    await run(
      'update user set quiet_hours_start = ?2, quiet_hours_end = ?3 where id = ?1',
      responder.id,
      from as string,
      to as string,
    );
  };
  /** A change, and one before it, so that it changes something each time. */
  const changing = (
    path: string,
    what: string,
    to: object,
    from: (n: number) => object,
    by = responder,
  ): Case => ({
    what,
    by,
    body: to,
    before: (n) => by.patch(path, from(n)),
  });
  const receipts = (what: string, notifications: string[]): Case => ({
    what,
    body: {
      receipts: notifications.map((notification) => ({
        notification,
        event: 'shown',
        at: new Date().toISOString(),
      })),
    },
    before: () => client.execute(forgetReceipts(responder.id, 'shown')),
  });
  const response = `/response/${large.longResponse}`;

  const cases: Record<string, Case[]> = {
    readiness: [{ what: 'much is waiting', status: 503, instead: true }],
    metrics: [{ by: { ...owner, token: 'a-token-of-the-operator' }, instead: true }],
    createEnrolment: [
      {
        body: { label: 'x'.repeat(100), uses: 100_000 },
        before: () => run('delete from enrolment where investigation_id = ?1', id),
      },
    ],
    createToken: [
      {
        by: () => justSignedIn,
        body: { label: 'x'.repeat(100), expiresAt: inDays(399) },
        before: signInAndClear,
      },
    ],
    listTokens: [{ before: makePrograms, instead: true }],
    endToken: [{ before: makeProgram, instead: true }],
    readEnrolment: ofCode,
    readEnrolmentQr: ofCode,
    endEnrolment: ofCode,
    aboutCode: [
      {
        what: 'as long a text as there may be, in as many languages',
        before: async () => {
          await makeCode();
          await run('update investigation set information = ?1 where id = ?2', JSON.stringify(longTexts), id);
        },
        body: () => ({ code: code.code, language: 'xya-Latn-DE' }),
      },
    ],
    enrol: [
      {
        before: makeCode,
        body: () => ({ code: code.code, timeZone: 'Europe/Paris', name: 'x'.repeat(200) }),
        inTurns: true,
      },
    ],
    relinkMe: [asEnrolled],
    renewToken: [asEnrolled],
    endTokens: [asEnrolled],
    relinkMember: [{ before: enrolSomebody }],
    createWebhook: [{ body: { url: `${receiver}/${'x'.repeat(1_900)}`, after: 0 }, before: noWebhooks }],
    listWebhooks: ofWebhook(),
    readWebhook: ofWebhook(),
    updateWebhook: ofWebhook({ url: receiver, state: 'paused' }),
    deleteWebhook: ofWebhook(),
    rotateWebhookSecret: ofWebhook(),
    replayWebhook: ofWebhook({ after: 0 }),
    testWebhook: ofWebhook(),
    listWebhookDeliveries: ofWebhook(),
    receiveRelayEvent: [
      { what: '1 MiB', body: { Type: 'Notification', Message: 'x'.repeat(1_000_000) }, status: 413 },
      { what: 'all it takes', body: { Type: 'Notification', Message: 'x'.repeat(16_000) }, status: 400 },
    ],
    signUp: [
      { what: 'an existing user', by: owner, body: { name: 'x'.repeat(200) } },
      { what: 'of 200 studies', ...asHeavy, body: { name: 'Hanna', acceptInvitations: true } },
      {
        what: 'with many invitations that wait',
        by: invited,
        before: () => run('delete from member where user_id = ?1', invited.id),
        body: { name: 'Iris', acceptInvitations: true },
      },
    ],
    updateUser: [
      {
        ...changing(
          '/user/me',
          'another time for 200 studies',
          { customRemindersTime: '08:00', timeZone: 'America/St_Johns', name: 'Chidi' },
          (n) => ({ customRemindersTime: `1${n % 10}:00` }),
        ),
        inTurns: true,
      },
      {
        ...changing(
          '/user/me',
          'quiet hours all day for 200 studies',
          { quietHours: { from: '00:00', to: '23:59' } },
          () => ({ quietHours: null }),
        ),
        inTurns: true,
      },
    ],
    deleteUser: [{ ...asHeavy }],
    pauseReminders: [{ body: { until: null }, before: () => responder.delete('/user/me/pause') }],
    resumeReminders: [{ before: () => responder.put('/user/me/pause', { until: null }) }],
    createInvestigation: [
      {
        by: invited,
        body: { name: 'x'.repeat(200) },
        before: async () => {
          await run('update user set study_count = 0 where id = ?1', invited.id);
          await run('delete from member where user_id = ?1', invited.id);
        },
      },
    ],
    listInvestigations: [
      { what: "a responder's 200 studies", by: responder, query: 'limit=1000' },
      { what: 'deleted ones', query: 'status=deleted' },
      { what: 'the numbers of people', query: 'include=counts' },
    ],
    updateInvestigation: [
      {
        what: 'another calendar for 1,000 members',
        body: { timeZone: 'UTC', startsOn: '2019-01-01' },
        before: () =>
          run(
            "update investigation set time_zone = 'Europe/Paris', starts_on = '2020-01-01' where id = ?1",
            id,
          ),
      },
      { what: 'archived', body: { status: 'archived' }, before: open },
    ],
    deleteInvestigation: [{ before: archive }],
    restoreInvestigation: [
      {
        before: async () => {
          await archive();
          await owner.delete(study);
        },
      },
    ],
    listMembers: [
      { what: 'the editors', query: 'limit=1000&role=editor' },
      { what: 'by a code', query: 'code=P-1000' },
    ],
    addMember: [
      {
        what: 'by address',
        body: { email: 'zoe@example.org', role: 'responder', code: 'x'.repeat(40) },
        before: () => run("delete from invitation where email = 'zoe@example.org'"),
      },
      {
        what: 'who has 200 studies already',
        inTurns: true,
        before: async (n) => {
          await makeHeavyUser(1000 + n);
          await run('delete from member where investigation_id = ?1 and user_id = ?2', id, heavyUser.id);
        },
        body: () => ({ user: heavyUser.id, role: 'responder' }),
      },
    ],
    updateMember: [
      {
        what: 'with reminders of 200 surveys',
        body: { role: 'editor', code: 'Q-7' },
        before: () => {
          return owner.patch(`${study}/member/${known.member}`, { role: 'responder', code: 'R-7' });
        },
      },
    ],
    changeDates: [
      {
        what: '1,000 people with ten dates and a time each, in a study of 200 surveys that remind',
        body: { members: coursesOf('2027-03-08') },
        before: async () => {
          await owner.patch(study, { dates: dateNames });
          await owner.post(`${study}/members/dates`, { members: coursesOf('2027-03-09') });
        },
        inTurns: true,
      },
      {
        what: 'the same, shown before it is set',
        body: { members: coursesOf('2027-03-10'), dryRun: true },
        before: () => owner.patch(study, { dates: dateNames }),
        inTurns: true,
      },
    ],
    removeMember: [
      {
        ...asHeavy,
        before: async (n) => {
          await makeHeavyUser(n);
          names.member = 'me';
        },
      },
    ],
    readMember: [
      {
        instead: true,
        before: async () => {
          names.member = members[900] ?? '';
        },
      },
    ],
    listInvitations: [
      {
        what: '67',
        by: invited,
        query: 'limit=100',
        before: () => invite("id like '60%' and substr(id, 32) in ('1', '5', '9')"),
      },
    ],
    acceptInvitation: [{ by: invited, before: inviteAnew }],
    declineInvitation: [{ by: invited, before: inviteAnew }],
    listCases: [{ what: "a responder's", by: responder, query: 'limit=1000' }],
    createCase: [{ body: { label: '\u{1F469}'.repeat(200), hidden: true } }],
    updateCase: [
      changing(
        `/case/${large.case}`,
        'a label',
        { label: 'x'.repeat(200) },
        (n) => ({ label: `${n}` }),
        owner,
      ),
    ],
    createSurvey: [
      { what: 'nearly 1 MiB of items', body: { name: 'Wide', items: manyItems() }, before: oneSurveyLess },
      {
        what: 'fifty languages and twelve windows',
        body: { name: 'Heavy', items: manyItems(1000, 500), reminders: heavy },
        before: oneSurveyLess,
      },
    ],
    updateSurvey: [
      {
        what: 'nearly 1 MiB of items',
        body: { items: manyItems(1000, 300) },
        before: (n) => owner.patch(`/survey/${survey}`, { items: manyItems(1000, 290 - n) }),
      },
      changing(
        `/survey/${survey}`,
        'fifty languages and twelve windows',
        { reminders: heavy },
        () => ({ reminders: { ...heavy, expiresAfter: 6 } }),
        owner,
      ),
    ],
    downloadSurvey: [
      { by: responder, before: () => client.execute(deleteDownloads(responder.id)), inTurns: true },
    ],
    listResponses: [
      // A table of the whole study would be too wide.
      { what: 'a page', query: 'limit=1000', instead: true },
      { what: 'a page since the beginning', query: 'limit=1000&status=all&since=1' },
      { what: 'all', ...whole },
      { what: 'a page of a wide table', query: `limit=1000&survey=${wide}`, accept: 'text/csv' },
      {
        what: 'a page with a response of a megabyte',
        query: `limit=1000&since=${Math.floor(Date.now() / 1000) - 3600}`,
      },
      { what: "a responder's", by: responder, query: `limit=1000&case=${large.case}` },
      { what: 'of a responder, by code', query: 'limit=1000&code=P-1' },
      { what: 'all of a wide survey as CSV', query: `survey=${survey}`, accept: 'text/csv', inTurns: true },
      { what: 'a page with labels', query: 'limit=1000&labels=true' },
      {
        what: 'all with labels as NDJSON',
        query: 'labels=true',
        accept: 'application/x-ndjson',
        inTurns: true,
      },
    ],
    createResponse: [
      { what: 'nearly 1 MiB of answers', by: responder, body: { case: large.case, items: wideAnswers } },
    ],
    listSetAside: [{ what: 'one of a megabyte', query: 'limit=1000', before: setAside }],
    placeAnswer: [{ before: setAside, body: { case: large.case } }],
    discardAnswer: [{ before: setAside, body: {} }],
    listCodebook: [
      { what: 'a page of 200 surveys of a thousand items', query: 'limit=1000' },
      { what: 'all as NDJSON', accept: 'application/x-ndjson', inTurns: true },
    ],
    countAnswers: [{ what: 'of 10,000 responses', query: '', inTurns: true }],
    readSurveyItems: [{ query: 'at=2000-01-01T00:00:00Z', instead: true }],
    updateResponse: [
      changing(response, 'a merge of a megabyte', { items: wideAnswers, reason }, (n) => ({
        items: { ...wideAnswers, q0: `${n}`, q1: null },
      })),
      changing(response, 'one answer of a megabyte', { items: { q1: 'x' } }, (n) => ({
        items: { q1: `${n}` },
      })),
    ],
    listRevisions: [
      {
        what: '1,000 small ones',
        query: 'limit=1000',
        before: async () => {
          names.response = large.response;
        },
      },
    ],
    lockItems: [
      { what: '1,000 items', body: { ...many, status: 'locked', reason } },
      {
        what: '1,000 items, each named twice',
        body: {
          cases: listed([...large.cases.slice(0, 1000), ...large.cases.slice(0, 1000)]),
          status: 'locked',
        },
      },
    ],
    archiveItems: [{ what: '1,000 items', body: { ...many, status: 'archived', reason } }],
    deleteItems: [{ what: '1,000 items', body: { ...many, status: 'deleted', reason } }],
    lockMatching: [
      { what: 'everything', body: { status: 'locked', filter: {}, reason }, inTurns: true },
      { what: 'everything, counted', body: { status: 'locked', filter: {}, dryRun: true } },
      { what: 'what changed, counted', body: { status: 'locked', filter: { since: 1 }, dryRun: true } },
      { what: "a responder's, counted", by: responder, body: { status: 'locked', filter: {}, dryRun: true } },
    ],
    freezeStudy: [{ body: { status: 'frozen', reason } }],
    listCompliance: [
      { what: '1,000 participants of a year', query: `limit=1000&${year}`, inTurns: true },
      { what: '100 participants of a year', query: year, inTurns: true },
      { what: '100 participants by default', query: '', inTurns: true },
      { what: '96 reminders a day', query: `${year}&user=${responder.id}`, inTurns: true },
      { what: 'the silent ones', query: `limit=1000&${year}&attention=silent`, inTurns: true },
      { what: 'a year of all as CSV', query: year, accept: 'text/csv', inTurns: true, instead: true },
    ],
    listOccurrences: [
      { what: '1,000 of all', query: 'limit=1000' },
      { what: '1,000 of a survey, with answers', query: `limit=1000&survey=${survey}` },
      { what: 'a year of a participant', query: `limit=1000&${year}&user=${responder.id}` },
      { what: 'a day', query: 'limit=1000&from=2027-02-28&to=2027-02-28' },
      { what: 'all as CSV', query: year, accept: 'text/csv', inTurns: true, instead: true },
    ],
    readDailyCompliance: [
      { what: 'a year of 200 surveys', query: year, inTurns: true },
      { what: 'a year of one survey', query: `${year}&survey=${survey}`, inTurns: true },
    ],
    listParticipantDays: [
      { what: 'as many participants of a year as one page has', query: `limit=1000&${year}` },
      { what: '100 participants by default', query: '' },
    ],
    listChanges: [
      { what: 'a page with bodies', query: 'after=0&limit=1000&include=body' },
      { what: 'a page', query: 'after=0&limit=1000' },
      { what: 'the end', query: 'after=20000&limit=1000&include=body', instead: true },
    ],
    listActivities: [
      { what: 'by an item', query: `limit=1000&item=${large.cases[0]}` },
      { what: 'by an action', query: 'limit=1000&action=survey.changed' },
      { what: 'by a code', query: 'limit=1000&code=P-1' },
      { what: 'all', accept: 'application/x-ndjson', inTurns: true },
    ],
    reviewActivities: [{ body: { from: 2, to: 2, comment: reason } }],
    listAccesses: [{ what: 'a year of everybody', query: year }],
    registerDevice: [
      {
        what: 'the eleventh, of somebody with 200 studies',
        body: () => ({
          platform: 'android',
          token: `${++fresh}${'x'.repeat(2000)}`,
          timeZone: 'Europe/Paris',
          language: 'fr-CA',
        }),
      },
    ],
    readDevice: [{ before: restoreDevice, instead: true }],
    updateDevice: [
      {
        what: 'another zone for 200 studies',
        body: { timeZone: 'Asia/Calcutta' },
        inTurns: true,
        before: async (n) => {
          await restoreDevice();
          await responder.patch(`/device/${large.device}`, { timeZone: n % 2 ? 'UTC' : 'Pacific/Apia' });
        },
      },
    ],
    deleteDevice: [{ what: 'of somebody with 200 studies', inTurns: true, before: restoreDevice }],
    testDevice: [{ before: restoreDevice }],
    previewReminders: [
      ...personal.map(({ what, ...body }) => ({
        what: `400 of ${what}, with nudges and quiet hours`,
        body: {
          ...body,
          reminders: {
            recurrence: '0 9 * * *',
            notification: { subject: 'Visit', body: 'How are you?' },
            expiresAfter: 86_400,
            followUps: { every: 1440, max: 10 },
            ...body.reminders,
          },
          timeZone: 'America/St_Johns',
          quietHours: { from: '23:59', to: '23:00' },
          count: 400,
        },
      })),
      ...['0001-01-01', '2027-03-01'].flatMap((startsOn) =>
        [4, 2, 1].flatMap((count) =>
          [undefined, '9990-01-01T00:00:00.000Z'].map((from) => ({
            what: `400 of ${12 * count} a day with nudges and quiet hours, since ${startsOn}, from ${from ?? 'then'}`,
            body: {
              reminders: {
                ...everyMinute(count),
                notification: { subject: 'Diary', body: 'How are you?' },
                expiresAfter: 1440,
                followUps: { every: 5, max: Math.floor(100 / (12 * count)) - 1 },
              },
              timeZone: 'America/St_Johns',
              startsOn,
              quietHours: { from: '23:59', to: '23:00' },
              count: 400,
              ...(from && { from }),
            },
          })),
        ),
      ),
    ],
    listUpcoming: [
      { what: '400 in windows', by: responder, query: 'count=400' },
      { what: "400 of somebody else's", query: `count=400&user=${responder.id}`, instead: true },
    ],
    previewReminderChange: [undefined, [{ from: '08:00', to: '20:00', count: 10 }]].map((windows) => ({
      what: `of 1,000 members${windows ? ', with ten times a day' : ''}`,
      body: {
        reminders: {
          type: 'rolling',
          recurrence: '30 8 * * *',
          notification: { subject: 'Diary', body: 'How are you?' },
          ...(windows && { recurrence: '* * * * *', windows }),
        },
        limit: 1000,
      },
      inTurns: true,
    })),
    readAgenda: [
      {
        what: 'of 400 surveys in 200 studies, in quiet hours all day',
        query: `count=64&device=${large.device}`,
        inTurns: true,
        before: quietHours('00:00', '23:59'),
      },
      {
        what: 'of 400 surveys in 200 studies',
        query: `count=64&device=${large.device}`,
        inTurns: true,
        before: quietHours(null, null),
      },
    ],
    listSurveyNotifications: [{ query: `limit=1000&user=${responder.id}`, instead: true }],
    listStudyNotifications: [{ query: `limit=1000&user=${responder.id}`, instead: true }],
    createReceipt: [
      { body: { event: 'opened' }, before: () => client.execute(forgetReceipts(responder.id, 'opened')) },
    ],
    createReceipts: [
      receipts('500, of as many notifications', large.notifications.slice(0, 500)),
      receipts(
        '500, of notifications that do not exist',
        Array.from({ length: 500 }, (_, n) => occurrenceIdentifier(responder.id, `${n}`, n, '2027-03-01')),
      ),
    ],
    snoozeNotification: [{ body: { minutes: 5 }, status: 409 }],
  };

  // Of somebody who sees a third of the study, and of everybody who asks for a third of it.
  const lyon = 'property=site:lyon';
  for (const [operation, query] of [
    ['listMembers', 'limit=1000'],
    ['listCases', 'limit=1000'],
    ['listResponses', 'limit=1000'],
    ['listSetAside', 'limit=1000'],
    ['listCompliance', `limit=1000&${year}`],
    ['readDailyCompliance', year],
    ['listParticipantDays', `limit=100&${year}`],
    ['listOccurrences', 'limit=1000'],
    ['countAttention', ''],
    ['countAnswers', ''],
    ['listActivities', 'limit=1000'],
    ['listChanges', 'after=0&limit=1000&include=body'],
  ] as const) {
    const filters = ['listActivities', 'listChanges', 'listParticipantDays'].includes(operation)
      ? []
      : [lyon];
    const turns = { inTurns: true } as const;
    cases[operation] = [
      ...(cases[operation] ?? []),
      { what: 'of a part of the study', by: large.scoped, query, ...turns },
      ...filters.map((filter) => ({
        what: 'of people with a property',
        query: [query, filter].filter(Boolean).join('&'),
        ...turns,
      })),
    ];
  }

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

  return (route) => {
    const { path, method, operation } = route;
    const special = cases[operation.operationId] ?? [];
    const all = special.some(({ instead }) => instead) ? special : [...special, ...plainCases(route)];
    const own = /^\/(user|device|notification)\b/.test(path) ? responder : owner;
    const example = operation.requestBody?.content['application/json']?.example;
    return all.map(
      ({ what = 'the only one', by = own, query, body = example, accept, before = open, ...rest }) => ({
        what,
        ...rest,
        before: async (n: number) => {
          Object.assign(names, known);
          await before(n);
        },
        get path() {
          const named = path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, noun) => `${noun}/${names[noun]}`);
          const to = operation.operationId === 'readAvatar' ? named.replace('me', owner.id) : named;
          return query ? `${to}?${query}` : to;
        },
        get call() {
          const { token } = typeof by === 'function' ? by() : by;
          const sent = typeof body === 'function' ? body() : body;
          return {
            token,
            method: method.toUpperCase(),
            ...(sent !== undefined && { body: sent }),
            ...(accept && { headers: { accept } }),
          };
        },
      }),
    );
  };
}
