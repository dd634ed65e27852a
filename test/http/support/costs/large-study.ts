import type { LocalService } from '../../../support/local-service.ts';
import { type Person, signUp } from '../../../support/people.ts';
import { countingTriggers, insertPast, insertSilent, type Past } from '../../../support/reminder-rows.ts';
import { newCase, newResponse, newStudy, type Study } from '../../../support/studies.ts';
import type { Vocabulary } from '../fuzz/values.ts';

const dayMs = 24 * 3600 * 1000;

/** Counts of the study, as far as they cost seconds and not minutes to fill. */
const size = { surveys: 200, members: 1_000, days: 366, cases: 5_000, responses: 20_000, entries: 1_500 };

/** A study filled to its bounds, and a person who takes part in 200 of them. */
export interface LargeStudy extends Study {
  service: LocalService;
  /** With items that a table may just hold. */
  wide: string;
  case: string;
  response: string;
  /** Of about a megabyte, and revised often. */
  longResponse: string;
  cases: string[];
  responses: string[];
  /** Responders, in order, with reminders of a year. */
  members: string[];
  /** Identifiers of the responder's notifications that were pushed lately. */
  notifications: string[];
  device: string;
  /** A monitor who sees a third of the people and of the cases. */
  scoped: Person;
  /** An entry of the log that changed many items. */
  entry: string;
  /** Somebody invited by as many people as may be. */
  invited: Person;
}

const minute = (n: number) =>
  `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`;

/** Twelve windows with as many occurrences in all as a survey may push on a date. */
export const windows = (count: number) =>
  Array.from({ length: 12 }, (_, n) => ({ from: minute(n * 120), to: minute(n * 120 + 119), count }));

const text = (length: number) => 'Wie geht es? '.repeat(Math.ceil(length / 13)).slice(0, length);

/** Fifty languages, of texts as long as a push may be. */
export const translations = Object.fromEntries(
  Array.from({ length: 50 }, (_, n) => [
    `x${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`,
    { subject: text(200), body: text(3_000) },
  ]),
);

export const heavy = {
  type: 'rolling',
  recurrence: '* * * * *',
  windows: windows(8),
  minGap: 1,
  expiresAfter: 5,
  unlessAnswered: true,
  notification: { subject: text(200), body: text(3_000) },
  translations,
};

/** As many items as a survey may have, in a body of nearly 1 MiB. */
export const manyItems = (length = 1000, label = 900) =>
  Array.from({ length }, (_, n) => ({ identifier: `q${n}`, label: text(label) }));

/** Answers of nearly 1 MiB, to these of the items. */
export const manyAnswers = (from: number, to: number, bytes = 1_000_000) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, n) => [`q${from + n}`, text(Math.floor(bytes / (to - from)) - 12)]),
  );

const counter = 'with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)';
const numbered = (prefix: string) => `'${prefix}' || printf('%0${32 - prefix.length}x', n)`;
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => prefix + (n + 1).toString(16).padStart(32 - prefix.length, '0'));

/** Fills a study to its bounds: what one request looks at by the API, the rest by SQL. */
export async function largeStudy(service: LocalService): Promise<LargeStudy> {
  const { client, world } = service;
  const run = (sql: string, ...values: (string | number)[]) => client.execute({ sql, values });
  const seedPast = async (all: Iterable<Past>) => {
    for (const one of insertPast(all)) await client.execute(one);
  };
  const now = Date.now();
  const study = await newStudy(world, { reminders: heavy, startsOn: '2020-01-01' });
  const { owner, responder } = study;
  const { id } = study;
  const post = async (path: string, body: object, by = owner) => {
    const answer = await by.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.body;
  };
  await owner.patch(`/survey/${study.survey}`, { items: manyItems(1000, 300) });
  const wide = (await post(`/investigation/${id}/survey`, { name: 'Wide', items: manyItems(500, 1800) }))
    .identifier;
  await run(
    `${counter} insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at,
        window_secret, revision_id, created_hash)
      select ${numbered('50')}, ?2, 'Survey ' || n, s.items, json_set(s.reminders, '$.minGap', n % 7), 0, n,
        s.window_secret || n, ${numbered('51')}, '' from counter join survey s on s.id = ?3`,
    size.surveys - 2,
    id,
    study.survey,
  );
  await run('update survey set reminders_since = 0, reminders_revision = 1');

  // A person of 200 studies, each with a survey.
  await run(
    `${counter} insert into investigation (id, name, time_zone, starts_on, created_at, creator_id, active_since, revision_id, created_hash)
      select ${numbered('60')}, 'Study ' || n, 'Europe/Paris', '2020-01-01', n, ?2, 0, ${numbered('61')}, '' from counter`,
    199,
    owner.id,
  );
  await run(
    `${counter} insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at,
        window_secret, revision_id, created_hash)
      select ${numbered('62')}, ${numbered('60')}, 'Survey ' || n, '[]', s.reminders, 0, n, s.window_secret || 'x' || n,
        ${numbered('63')}, '' from counter join survey s on s.id = ?2`,
    199,
    study.survey,
  );
  for (const person of [owner, responder])
    await run(
      `${counter} insert into member (investigation_id, user_id, role, created_at)
        select ${numbered('60')}, ?2, ?3, 0 from counter`,
      199,
      person.id,
      person === owner ? 'owner' : 'responder',
    );
  await run('update member set created_at = 0, participant_since = 0 where user_id = ?1', responder.id);
  await run(
    "update user set quiet_hours_start = '00:00', quiet_hours_end = '23:59' where id = ?1",
    responder.id,
  );
  await run(
    `${counter} insert into device (id, user_id, platform, token, endpoint, time_zone, language, created_at, updated_at, seen_at)
      select ${numbered('de')}, ?2, 'android', 'phone-' || n, 'endpoint-' || n, 'Europe/Paris', 'x' || char(97 + n) || 'a-Latn', 0, 0, n from counter`,
    9,
    responder.id,
  );

  // Members, each with the reminders of a year.
  await run(
    `${counter} insert into user (id, issuer, subject, name, time_zone, created_at)
      select ${numbered('30')}, 'bulk', 'bulk' || n, 'Member ' || n, 'Europe/Paris', 0 from counter`,
    size.members,
  );
  await run(
    `${counter} insert into member (investigation_id, user_id, role, created_at, invited_as)
      select ?2, ${numbered('30')}, 'responder', 0, 'member' || n || '@example.org' from counter`,
    size.members,
    id,
  );
  await run(
    `${counter} insert into member_code (user_id, investigation_id, code) select ${numbered('30')}, ?2, 'P-' || n from counter`,
    size.members,
    id,
  );
  const dates = `with recursive day(d) as (select 0 union all select d + 1 from day where d < ${size.days - 1})`;
  const triggers = await triggersOf(service, ...countingTriggers);
  const past = (user: string, survey: string, ago: number, dueAt: number, slot?: number): Past => {
    const at = new Date(dueAt).toISOString();
    const isSent = ago % 9 > 0;
    return {
      ...{ user, survey, revision: 1, counter: size.days - ago, dueAt, timeZone: 'Europe/Paris', slot },
      ...{ on: new Date(now - ago * dayMs).toISOString().slice(0, 10), state: isSent ? 'sent' : 'skipped' },
      reason: isSent ? null : 'quiet-hours',
      ...(isSent && {
        deliveries: [{ device: responder.id, platform: 'android', at, messageId: responder.id }],
      }),
    };
  };
  const range = (count: number) => Array.from({ length: count }, (_, n) => n);
  for (const [n, survey] of [wide, study.survey].entries())
    await seedPast(
      ids('30', size.members)
        .values()
        .flatMap((user) => range(size.days).map((ago) => past(user, survey, ago, now - dayMs * ago - n))),
    );
  // As many as the windows of one survey have in a year, and a day of every other.
  await seedPast(
    range(size.days).flatMap((ago) =>
      range(96).map((slot) =>
        past(responder.id, study.survey, ago, now - dayMs * ago - 60_000 * (96 - slot), slot),
      ),
    ),
  );
  const others = await client.query('select id from survey where investigation_id = ?1 and id <> ?2', [
    id,
    study.survey,
  ]);
  await seedPast(
    others.flatMap((survey) =>
      range(30).map((ago) => past(responder.id, String(survey.id), ago, now - dayMs * ago - 60_000, 0)),
    ),
  );
  for (const sql of triggers) await run(sql);
  await run(
    `${dates}, outcome(o) as (values ('sent'), ('failed'), ('skipped:answered'), ('skipped:paused'), ('skipped:quiet-hours'),
        ('skipped:expired'))
      insert into survey_compliance
      select s.id, '', date(?2 / 1000 - 86400 * d, 'unixepoch'), o, 1000, 10, 5, 4, 1 from survey s, day, outcome
      where s.investigation_id = ?1`,
    id,
    now,
  );
  const silent = ids('30', size.members).filter((user) => ['1', '5', '9'].includes(user.slice(-1)));
  for (const survey of ids('50', size.surveys - 2)) await client.execute(insertSilent(survey, silent));

  // Items.
  const item = await newCase(study, owner);
  await run(
    `${counter} insert into study_case
      (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
      select ${numbered('ca')}, ?2, ?3, 'Night ' || n, 0, '{}', n + 1, n, ${numbered('cb')} from counter`,
    size.cases,
    id,
    owner.id,
  );
  await run(
    `${counter} insert into response
      (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
      select ${numbered('4e')}, ?2, iif(n % 2, ?3, ?4), ?5, ?6, '{"q1":"well","q2":"=1+1"}', '{"q1":1}', n + 1, n, ${numbered('4f')} from counter`,
    size.responses,
    id,
    study.survey,
    wide,
    item,
    responder.id,
  );
  await run(
    `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
      select id, 1, revision_id, responder_id, created_at, items, reasons from response`,
  );
  const response = await newResponse(study, responder, item);
  const long = await responder.post(`/survey/${study.survey}/response`, {
    case: item,
    items: manyAnswers(0, 1000),
  });
  const longResponse = String(long.body.uri).slice(-32);
  for (let n = 0; n < 20; n++)
    await done(responder.patch(`/response/${longResponse}`, { items: { q0: `${n}` } }));
  await run(
    `${counter} insert into response_revision (response_id, number, id, author_id, at, items, reasons)
      select ?2, 1 + n, ${numbered('4a')}, ?3, n, '{"q1":"well"}', '{}' from counter`,
    2_000,
    response,
    responder.id,
  );

  // The log: many entries, and some as long as they get.
  const listed = (some: string[]) => some.map((identifier) => ({ identifier }));
  const cases = ids('ca', size.cases);
  const responses = ids('4e', size.responses);
  for (const status of ['locked', 'unlocked'])
    for (let n = 0; n < 10; n++)
      await done(
        owner.post(`/investigation/${id}/lock-items`, {
          cases: listed(cases.slice(0, 1000)),
          status,
          reason: text(500),
        }),
      );
  for (let n = 0; n < 6; n++) await done(owner.patch(`/survey/${wide}`, { items: manyItems(500, 1700 + n) }));
  for (let n = 0; n < size.entries; n++)
    await done(owner.patch(`/investigation/${id}`, { name: `Sleep ${n}` }));
  const matched = await post(`/investigation/${id}/lock-matching`, { status: 'locked', filter: {} });
  await post(`/investigation/${id}/lock-matching`, { status: 'unlocked', filter: {} });

  const scoped = await signUp(world, 'Mona');
  await done(
    owner.patch(`/investigation/${id}`, {
      properties: [{ name: 'site', values: ['lyon', 'oslo', 'paris'] }],
    }),
  );
  const device = (
    await post(
      '/user/me/device',
      { platform: 'android', token: 'phone', timeZone: 'Europe/Paris', language: 'xaa' },
      responder,
    )
  ).identifier;
  const { body: history } = await owner.get(
    `/survey/${study.survey}/notifications?user=${responder.id}&limit=1000`,
  );
  const notifications = history.notifications
    .filter(({ state }: { state: string }) => state === 'sent')
    .map(({ identifier }: { identifier: string }) => identifier);

  await post(`/investigation/${id}/member`, { user: scoped.id, role: 'monitor', scope: { site: ['lyon'] } });
  for (const [table, column] of [
    ['member', 'user_id'],
    ['study_case', 'id'],
  ])
    await run(
      `update ${table} set properties = case substr(${column}, -1) when '1' then '{"site":["lyon",0]}' when '2' then '{"site":["paris",0]}'
          else '{"site":["oslo",0]}' end where investigation_id = ?1 and (${column} like '30%' or ${column} like 'ca%')`,
      id,
    );
  const invited = await signUp(world, 'Iris');
  for (let n = 0; n < 199; n += 3)
    await run(
      'insert into invitation (email, investigation_id, role, invited_by, created_at) select ?1, ?2, ?3, ?4, ?5',
      invited.email,
      ids('60', 199)[n] ?? '',
      'responder',
      owner.id,
      now,
    );
  return {
    ...study,
    service,
    wide,
    case: item,
    response,
    longResponse,
    cases,
    responses,
    members: ids('30', size.members),
    notifications,
    device,
    scoped,
    entry: matched.activity,
    invited,
  };
}

async function done(answered: Promise<{ status: number; text: string }>) {
  const { status, text: body } = await answered;
  if (status >= 300) throw new Error(`${status} ${body.slice(0, 500)}`);
}

/** Drops triggers, which would take longer than all rows, and answers with what makes them again. */
async function triggersOf({ client }: LocalService, ...names: string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const name of names) {
    const { rows } = await client.execute({
      sql: 'select sql from sqlite_master where name = ?1',
      values: [name],
    });
    texts.push(String(Object.values((rows as object[])[0] ?? {})[0]));
    await client.execute({ sql: `drop trigger ${name}`, values: [] });
  }
  return texts;
}

/** Names of what is there, for requests that are drawn. */
export const vocabularyOf = (large: LargeStudy): Vocabulary => ({
  identifiers: [large.id, large.survey, large.wide, large.case, large.response, ...large.members.slice(0, 3)],
  emails: [large.invited.email, 'zoe@example.org'],
  words: {
    '/user': ['me'],
    '/member': large.members.slice(0, 5),
    '/investigation': [large.id],
    '/invitations': [large.id],
    '/activity': [large.entry],
    '/survey': [large.survey, large.wide],
    '/case': [large.case],
    '/response': [large.response, large.longResponse],
    '/device': [large.device],
    '/notification': large.notifications.slice(0, 5),
    survey: [large.survey, large.wide],
    case: [large.case],
    user: ['me', ...large.members.slice(0, 3)],
    item: ['q1', 'q2', 'q3'],
    platform: ['android'],
    timeZone: ['UTC', 'Europe/Paris', 'America/St_Johns', 'Pacific/Apia'],
    recurrence: ['* * * * *', '30 21 * * *', '0 8 * * 1,3,5', '0 9 1-5 * *'],
    notification: large.notifications.slice(0, 5),
  },
});
