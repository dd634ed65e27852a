import { endpointArn } from '../../tools/fakes/sns/arns.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { auth } from './fieldbell.ts';
import { notificationRows, type PendingReminders } from './notification-rows.ts';
import { hex, id, text, upTo } from './sql.ts';

/** A study that `ada` owns, with `members` responders and `responses` in all. */
export interface StudySize {
  /** The number of the study, from 0; studies share no rows but the users, which study 0 brings. */
  study: number;
  members: number;
  responses: number;
  /** Gives each member a pending reminder, and a sent one on the day before; the first members sent ones on more days. */
  reminders?: PendingReminders;
  /** Epoch ms; everything was created before it. */
  now: number;
}

export const expiresAfter = 360;
export const notification = {
  subject: 'Sleep diary',
  body: 'Good morning! How did you sleep? Please answer the questions about last night.',
};

const responsesPerCase = 1000;
const dayMs = 86_400_000;

/** The stored reminders of a survey. */
export const storedReminders = (recurrence: string) => ({
  type: 'rolling',
  recurrence,
  ends: null,
  delay: null,
  unlessAnswered: false,
  expiresAfter,
  notification,
});

/** Identifiers of the loaded rows: 32 hexadecimal digits that sort by number. */
export const ids = {
  owner: identifier('1', 0),
  member: (n: number) => identifier('1', n + 1),
  study: (study: number) => identifier('2', study),
  survey: (study: number) => identifier('3', study),
  response: (study: number, n: number) => identifier('5', n, study),
};

/** The endpoint at the SNS of the phone of member `n`. */
export const endpointOf = (n: number | '') =>
  endpointArn(snsDefaults.platformApplications.android, `phone-${n}`);

/** The subjects of the tokens. */
export const subjects = { owner: 'ada', member: (n: number) => `member-${n}` };

function identifier(kind: string, n: number, study = 0) {
  return `0198c1a4f3b2700${kind}${hex(study)}${hex(n)}`;
}

/** Statements that insert the study, one for each table, whatever its size. */
export function studyRows({ study, members, responses, reminders, now }: StudySize): string[] {
  const began = now - 100 * dayMs;
  const of = text(ids.study(study));
  const survey = text(ids.survey(study));
  const revision = id('6', 'n', study);
  const answers = `json_object('q1', 'I slept ' || (n % 9) || ' hours, and woke up "once" – or twice.', 'q2', '0' || (n % 10) || ':30')`;
  const items = [
    { identifier: 'q1', label: 'How did you sleep?' },
    { identifier: 'q2', label: 'When did you wake up?' },
  ];
  const stored = reminders ? text(storedReminders(recurrenceOf(reminders))) : 'null';
  const user = (n: string, subject: string, name: string) =>
    `insert into user (id, issuer, subject, name, created_at) select ${id('1', n)}, ${text(auth.issuer)}, ${subject}, ${name}, ${began}`;
  const member = 'insert into member (investigation_id, user_id, role, created_at)';
  return [
    ...(study > 0
      ? []
      : [
          user('0', text(subjects.owner), `'Ada Lindqvist'`),
          `${user('n + 1', `'member-' || n`, `'Member ' || n`)} from ${upTo(members)}`,
          `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
             select ${id('7', 'n')}, ${id('1', 'n + 1')}, 'android', 'phone-' || n, ${text(endpointOf(''))} || n,
               ${text(reminders?.zone ?? 'Europe/Paris')}, ${began}, ${began}, ${began} from ${upTo(members)}`,
        ]),
    `insert into investigation (id, name, time_zone, starts_on, created_at, active_since, revision_id, created_hash, creator_id)
       values (${of}, 'Sleep', 'Europe/Paris', '2026-01-01', ${began}, ${began}, '', '', ${text(ids.owner)})`,
    `${member} values (${of}, ${text(ids.owner)}, 'owner', ${began})`,
    `${member} select ${of}, ${id('1', 'n + 1')}, 'responder', ${began} from ${upTo(members)}`,
    `insert into survey (id, investigation_id, name, items, reminders, reminders_since, created_at, revision_id, created_hash)
       values (${survey}, ${of}, 'Diary', ${text(items)}, ${stored}, ${began}, ${began}, '', '')`,
    `insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
       select ${id('4', 'n', study)}, ${of}, ${text(ids.owner)}, 'Night ' || n, 0, '{}', ${began}, ${began}, ${id('4', 'n', study)}
       from ${upTo(Math.ceil(responses / responsesPerCase))}`,
    `insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revised_at, created_at, revision_id)
       select ${id('5', 'n', study)}, ${of}, ${survey}, ${id('4', `n / ${responsesPerCase}`, study)},
         ${id('1', `1 + n % ${members}`)}, ${answers}, '{}', ${began} + n, ${began} + n, ${revision} from ${upTo(responses)}`,
    `insert into response_revision (response_id, number, id, author_id, at, items, reasons)
       select id, 1, revision_id, responder_id, revised_at, items, reasons from response where investigation_id = ${of}`,
    ...(reminders
      ? notificationRows({ survey: ids.survey(study), member: ids.member, members, ...reminders })
      : []),
  ];
}

/** Daily at the local time of `due`, so that a new plan equals the loaded rows. */
export function recurrenceOf({ due, zone }: { due: number; zone: string }): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', minute: 'numeric', timeZone: zone });
  const [hour, minute] = parts.format(due).split(':').map(Number);
  return `${minute} ${hour} * * *`;
}
