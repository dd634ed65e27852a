import { type SQL, sql } from 'drizzle-orm';
import { givenAt } from '../items/schema.ts';
import { memberOfEntry } from '../log/schema.ts';
import { blindedNames, fits, isBlinded } from '../permissions/groups.ts';
import { isDeletedStudy } from '../permissions/visibility.ts';
import { fromPushes } from '../reminders/notification.ts';
import type { Push } from '../reminders/schema.ts';
import { shownSlot, slotOf } from '../schedule/slots.ts';

/** The stored rows about a user in one table. */
export interface ExportKind {
  kind: string;
  description: string;
  /** By name: the meaning, and the SQL of the value. A name that ends in `At` or `Until` is an instant, epoch ms. */
  fields: Record<string, { means: string; value: SQL }>;
  /** Tables and conditions of a user's rows. */
  from: SQL;
  where: (user: string) => SQL;
  /** The order of the rows, as an index has them. */
  keys: readonly string[];
  /** The number of leading keys in one index, if not all. */
  indexed?: number;
  /** Bytes of a row. */
  size: SQL;
  /** Converts values of a row that SQL cannot shape. */
  shape?: (row: Record<string, unknown>) => Record<string, unknown>;
}

const small = sql`500`;
const field = (means: string, value: SQL) => ({ means, value });
const column = (means: string, name: string) => field(means, sql.raw(name));
const isShown = (investigation: string) => sql`not ${isDeletedStudy(sql.raw(investigation))}`;
const flag = (condition: string) => sql`json(iif(${sql.raw(condition)}, 'true', 'false'))`;
/** In SQL: survey `s` is for member `m`. */
const isFor = fits(sql`s.for`, sql`m.properties`);
const isOwnResponse = (user: string) =>
  sql`r.responder_id = ${user} and r.deleted_at is null and ${isShown('r.investigation_id')}`;
const json = (name: string) => sql`json(${sql.raw(name)})`;

/** In SQL: properties by name, but for those that the study blinds: nobody but its owners knows them. */
const unblinded = (properties: string, investigation: string, value = 'p.value ->> 0') =>
  sql`json(iif(${sql.raw(properties)} is null, null, (select nullif(json_group_object(p.key, ${sql.raw(value)}), '{}')
    from json_each(${sql.raw(properties)}) p where p.key not in (${blindedNames(sql.raw(investigation))}))))`;

/** The occurrence of a notification. @param table its alias */
const occurrence = (table: string) => ({
  survey: column('The survey.', `${table}.survey_id`),
  revision: column("The revision of the survey's reminders.", `${table}.revision`),
  on: column('The date, YYYY-MM-DD.', `${table}.occurrence`),
  slot: field('Its position within the date, from 0; null without windows.', sql`null`),
  response: field('The response that triggered it; null otherwise.', sql`null`),
  counter: column('Its position in the series.', `${table}.counter`),
  timeZone: column('The time zone of the plan.', `${table}.time_zone`),
});

/** The pushes of a notification. */
function pushesOf(pushes: readonly Push[] | null, dueAt: number) {
  const { attempts, deliveries, followUps } = fromPushes(pushes, dueAt);
  return { attempts, deliveries, followUps };
}

/**
 * Everything stored about a user, except secrets (tokens, names of endpoints, the secret of a survey's windows), other
 * people's data, and deleted rows that wait for their purge.
 */
export const exportKinds: readonly ExportKind[] = [
  {
    kind: 'user',
    description: 'The account.',
    fields: {
      identifier: column('The identifier.', 'u.id'),
      issuer: column('The identity provider.', 'u.issuer'),
      subject: column('The name of the account at the provider.', 'u.subject'),
      email: column('The verified address.', 'u.email'),
      emailProvedAt: field('When a token proved the address.', sql`nullif(u.email_proved_at, 0)`),
      name: column('The name that owners, editors and monitors of a study see.', 'u.name'),
      namedAt: field('When the name last changed.', sql`nullif(u.named_at, 0)`),
      timeZone: column('The time zone of the account.', 'u.time_zone'),
      customRemindersTime: column('The wall time of reminders.', 'u.custom_reminders_time'),
      pausedUntil: column('Until when all reminders are paused.', 'u.paused_until'),
      language: column('The language of phones that are registered without one.', 'u.language'),
      enrolment: field(
        'The code by which the user enrolled, unless it tells more than the user may know.',
        sql`iif(exists (select 1 from enrolment e where e.id = u.enrolment_id
          and ${isBlinded(sql.raw('e.properties'), sql.raw('e.investigation_id'))}), null, u.enrolment_id)`,
      ),
      quietFrom: column('The wall time at which quiet hours begin.', 'u.quiet_hours_start'),
      quietTo: column('The wall time at which quiet hours end.', 'u.quiet_hours_end'),
      studies: column('How many studies the user has created.', 'u.study_count'),
      memberships: column(
        'How many studies the user belongs to.',
        '(select count(*) from current_member own where own.user_id = u.id)',
      ),
      createdAt: column('When the user signed up.', 'u.created_at'),
      seenAt: column('When the user last made a request, to the hour.', 'u.seen_at'),
    },
    from: sql`user u`,
    where: (user) => sql`u.id = ${user}`,
    keys: ['u.id'],
    size: small,
  },
  {
    kind: 'device',
    description: 'A phone that reminders are pushed to. Its token is a secret and not shown.',
    fields: {
      identifier: column('The identifier.', 'd.id'),
      platform: column('The push service.', 'd.platform'),
      timeZone: column('The time zone of the phone, if it knows one.', 'd.time_zone'),
      zoneSince: column('Since when it has this time zone.', 'd.zone_since'),
      language: column('The language of its texts.', 'd.language'),
      enabled: field('Whether the push service reaches it.', flag('d.enabled')),
      createdAt: column('When it was registered.', 'd.created_at'),
      updatedAt: column('When it last changed.', 'd.updated_at'),
      seenAt: column('When the phone was last heard of.', 'd.seen_at'),
    },
    from: sql`device d`,
    where: (user) => sql`d.user_id = ${user}`,
    keys: ['d.seen_at', 'd.id'],
    size: small,
  },
  {
    kind: 'time-zone',
    description: 'A time zone that reminders went by, of the last hundred.',
    fields: {
      timeZone: column(
        "The zone; null: the user had none of their own, and the study's counted.",
        'z.time_zone',
      ),
      from: column('Its source: device, user or study.', 'z.source'),
      startedAt: column('Since when.', 'z.since'),
    },
    from: sql`zone_change z`,
    where: (user) => sql`z.of_id = ${user}`,
    keys: ['z.position'],
    size: small,
  },
  {
    kind: 'membership',
    description: 'A study that the user belongs to.',
    fields: {
      investigation: column('The study.', 'm.investigation_id'),
      name: column('The name of the study.', 'i.name'),
      role: column('The role in it.', 'm.role'),
      createdByUser: field('Whether the user created the study.', flag('i.creator_id is m.user_id')),
      joinedAt: column('Since when.', 'm.created_at'),
      startedAt: column('Since when the user takes part; null: they do not.', 'm.participant_since'),
      pausedUntil: column('Until when the reminders of the study are paused.', 'm.paused_until'),
      invitedAs: column('The address of the invitation that was accepted.', 'm.invited_as'),
      number: column('The number in the study, which labels have; null until one needs it.', 'm.number'),
      joinedOn: field(
        'The local date on which the user began to take part.',
        sql`coalesce(m.joined_on, date(m.participant_since / 1000, 'unixepoch'))`,
      ),
      dates: field(
        'The dates of the user in the study, by name.',
        sql`json(iif(m.dates is null, null, (select json_group_object(key, value ->> 0) from json_each(m.dates) where value ->> 0 is not null)))`,
      ),
      participation: field(
        'Their own time in the study.',
        sql`json(nullif(json_remove(m.participation, '$.at'), '{}'))`,
      ),
      properties: field(
        'The properties of the user in the study, by name, but for blinded ones.',
        unblinded('m.properties', 'm.investigation_id'),
      ),
      scope: field(
        'The part of the study that the user sees; null: all that the role sees.',
        json('m.scope'),
      ),
      agreedTo: column('The hash of the information under which the user joined.', 'm.agreed_to'),
    },
    from: sql`current_member m cross join investigation i on i.id = m.investigation_id`,
    where: (user) => sql`m.user_id = ${user}`,
    keys: ['m.investigation_id'],
    size: small,
  },
  {
    kind: 'code',
    description: 'The code of the user in a study, even after they left it.',
    fields: {
      investigation: column('The study.', 'c.investigation_id'),
      code: column('The code.', 'c.code'),
    },
    from: sql`member_code c`,
    where: (user) => sql`c.user_id = ${user} and ${isShown('c.investigation_id')}`,
    keys: ['c.investigation_id'],
    size: small,
  },
  {
    kind: 'invitation',
    description: "An invitation that waits for the user's address.",
    fields: {
      investigation: column('The study.', 'v.investigation_id'),
      role: column('The role that is offered.', 'v.role'),
      code: column('The code that the member will have.', 'v.code'),
      properties: field(
        'The properties that the member will have, by name, but for blinded ones.',
        unblinded('v.properties', 'v.investigation_id', 'p.value'),
      ),
      scope: field('The part of the study that the member will see; null: all of it.', json('v.scope')),
      createdAt: column('When the invitation was made.', 'v.created_at'),
    },
    from: sql`invitation v`,
    where: (user) =>
      sql`v.email = (select email from user where id = ${user}) and ${isShown('v.investigation_id')}`,
    keys: ['v.investigation_id'],
    size: small,
  },
  {
    kind: 'download',
    description: 'The first download of a survey, from which its reminders may count.',
    fields: {
      survey: column('The survey.', 'd.survey_id'),
      downloadedAt: column('When.', 'd.downloaded_at'),
      on: column("The date then, in the user's time zone.", 'd.downloaded_on'),
    },
    from: sql`scheduled_notification d cross join survey s on s.id = d.survey_id`,
    where: (user) =>
      sql`d.user_id = ${user} and d.downloaded_at is not null and ${isShown('s.investigation_id')}`,
    keys: ['d.survey_id'],
    size: small,
  },
  {
    kind: 'case',
    description: 'A case that the user created.',
    fields: {
      identifier: column('The identifier.', 'c.id'),
      investigation: column('The study.', 'c.investigation_id'),
      label: field(
        'The label; null when the user may not see the case any more.',
        sql`(select c.label from current_member m where m.investigation_id = c.investigation_id
          and m.user_id = c.creator_id and (m.role <> 'responder' or c.hidden = 0))`,
      ),
      hidden: field('Whether the case is hidden from responders.', flag('c.hidden')),
      properties: field(
        'Its properties, by name, but for blinded ones.',
        unblinded('c.properties', 'c.investigation_id'),
      ),
      createdAt: column('When it was created.', 'c.created_at'),
      editedAt: column('When it was last edited.', 'c.edited_at'),
      lockedAt: column('Since when it is locked.', 'c.locked_at'),
      archivedAt: column('Since when it is archived.', 'c.archived_at'),
    },
    from: sql`study_case c`,
    where: (user) =>
      sql`c.creator_id = ${user} and c.deleted_at is null and ${isShown('c.investigation_id')}`,
    keys: ['c.investigation_id', 'c.id'],
    size: sql`octet_length(c.label) + 500`,
  },
  {
    kind: 'response',
    description: 'A response that the user gave, as it is now.',
    fields: {
      identifier: column('The identifier.', 'r.id'),
      investigation: column('The study.', 'r.investigation_id'),
      survey: column('The survey.', 'r.survey_id'),
      case: column('The case.', 'r.case_id'),
      items: field('The answers, by item.', json('r.items')),
      reasons: field('The reasons, by item.', json('r.reasons')),
      givenAt: field('When it was given.', givenAt('r')),
      receivedAt: column('When the service received it.', 'r.created_at'),
      notification: column('The reminder that it answers.', 'r.notification'),
      late: field('Whether it was given later than the reminders allowed.', flag('r.late')),
      outdated: field('Whether the survey changed before it was received.', flag('r.outdated')),
      createdAt: column('When the service stored it, which is when it was received.', 'r.created_at'),
      revisedAt: column('When it was last edited.', 'r.revised_at'),
      lockedAt: column('Since when it is locked.', 'r.locked_at'),
      archivedAt: column('Since when it is archived.', 'r.archived_at'),
    },
    from: sql`response r`,
    where: isOwnResponse,
    keys: ['r.investigation_id', 'r.created_at', 'r.id'],
    size: sql`octet_length(r.items) + octet_length(r.reasons) + 500`,
  },
  {
    kind: 'answer-set-aside',
    description:
      'An answer of the user that had no place any more, for owners and editors to place or discard.',
    fields: {
      identifier: column('The identifier.', 's.id'),
      investigation: column('The study.', 's.investigation_id'),
      survey: column('The survey.', 's.survey_id'),
      case: column('The case that it was for.', 's.case_id'),
      reason: column('Why it had no place.', 's.reason'),
      items: field('The answers, by item; none once it is placed or discarded.', json('s.items')),
      reasons: field('The reasons, by item; none once it is placed or discarded.', json('s.reasons')),
      givenAt: column('When it was given.', 's.given_at'),
      notification: column('The reminder that it answers.', 's.notification'),
      late: field('Whether it was given later than the reminders allowed.', flag('s.late')),
      outdated: field('Whether the survey changed before it was received.', flag('s.outdated')),
      createdAt: column('When the service received it.', 's.created_at'),
      settledAt: column('When it was placed or discarded.', 's.settled_at'),
    },
    from: sql`set_aside s`,
    where: (user) => sql`s.responder_id = ${user} and ${isShown('s.investigation_id')}`,
    keys: ['s.investigation_id', 's.created_at', 's.id'],
    size: sql`octet_length(s.items) + octet_length(s.reasons) + 500`,
  },
  {
    kind: 'revision',
    description: 'A revision of a response that the user gave.',
    fields: {
      response: column('The response.', 'v.response_id'),
      number: column('Its position, from 1.', 'v.number'),
      identifier: column('The identifier.', 'v.id'),
      byUser: field('Whether the user made it.', flag('v.author_id = r.responder_id')),
      whole: field(
        'Whether these are all its answers and reasons, or those that differ from the revision before it.',
        flag('v.since is null'),
      ),
      items: field('The answers, by item; null: it has none any more.', json('v.items')),
      reasons: field('The reasons, by item; null: it has none any more.', json('v.reasons')),
      reason: column('Why its author changed the answers, in words.', 'v.reason'),
      revisedAt: column('When.', 'v.at'),
    },
    from: sql`response r cross join response_revision v on v.response_id = r.id`,
    where: isOwnResponse,
    keys: ['r.investigation_id', 'r.created_at', 'r.id', 'v.number'],
    indexed: 3,
    size: sql`octet_length(v.items) + octet_length(v.reasons) + coalesce(octet_length(v.reason), 0) + 500`,
  },
  {
    kind: 'notification',
    description: 'A reminder whose time has come.',
    fields: {
      identifier: column('The identifier.', 'n.id'),
      ...occurrence('n'),
      state: field('The outcome.', sql`iif(n.state = 'sending', 'scheduled', n.state)`),
      reason: column('Why it was not sent.', 'n.reason'),
      attempts: field('The number of attempts of the first push.', sql`null`),
      deliveries: field('The outcome on each phone.', json('n.pushes')),
      followUps: field('Pushes after the first.', sql`null`),
      dueAt: column('When it is due.', 'n.due_at'),
      settledAt: column('When the outcome was decided.', 'n.settled_at'),
      shownAt: column('When the phone showed it.', 'n.shown_at'),
      openedAt: column('When the user opened it.', 'n.opened_at'),
      dismissedAt: column('When the user dismissed it.', 'n.dismissed_at'),
      snoozedUntil: column('When the phone asked for one more push.', 'c.snoozed_until'),
      nextFollowUpAt: column('When the next push after the first is due.', 'c.again_at'),
      answeredAt: column('When the user gave the first response that belongs to it.', 'n.answered_at'),
      answeredLate: column('1 if that was later than the reminders allowed.', 'n.answered_late'),
    },
    from: sql`notification n cross join survey s on s.id = n.survey_id
      left join scheduled_notification c on c.user_id = n.user_id and c.survey_id = n.survey_id and c.last = n.id`,
    where: (user) => sql`n.user_id = ${user} and ${isShown('s.investigation_id')}`,
    keys: ['n.due_at', 'n.id'],
    size: sql`coalesce(octet_length(n.pushes), 0) + 500`,
    shape: (row) => ({
      ...row,
      ...shownSlot(slotOf(row.on as string)),
      ...pushesOf(row.deliveries as Push[] | null, row.dueAt as number),
    }),
  },
  {
    kind: 'scheduled-notification',
    description: 'The reminder of a survey that comes next.',
    fields: {
      identifier: column('The identifier.', 'c.id'),
      ...occurrence('c'),
      dueAt: column('When it is due.', 'c.due_at'),
      attemptAt: column('When it is pushed: later than it is due in quiet hours.', 'c.attempt_at'),
    },
    from: sql`scheduled_notification c cross join survey s on s.id = c.survey_id`,
    where: (user) => sql`c.user_id = ${user} and c.id is not null and ${isShown('s.investigation_id')}`,
    keys: ['c.survey_id'],
    size: small,
    shape: (row) => ({ ...row, ...shownSlot(slotOf(row.on as string)) }),
  },
  {
    kind: 'counts',
    description:
      'Purged reminders: date and outcome of each, and whether it was shown, opened, answered and answered late.',
    fields: {
      survey: column('The survey.', 'p.survey_id'),
      month: column('The month that they were due in.', 'p.month'),
      counts: field('The reminders.', json('p.counts')),
    },
    from: sql`participant_compliance p cross join survey s on s.id = p.survey_id`,
    where: (user) => sql`p.user_id = ${user} and ${isShown('s.investigation_id')}`,
    keys: ['p.survey_id', 'p.month'],
    size: sql`octet_length(p.counts) + 500`,
  },
  {
    kind: 'attention',
    description: 'Reasons for attention that owners, editors and monitors of a study see about the user.',
    fields: {
      investigation: column('The study.', 'm.investigation_id'),
      reason: column('Why the user needs attention.', 'a.value'),
    },
    from: sql`member m cross join json_each('["unreachable", "paused", "never-downloaded"]') a`,
    where: (
      user,
    ) => sql`m.user_id = ${user} and m.participant_since is not null and ${isShown('m.investigation_id')}
      and case a.value
        when 'unreachable' then not exists (select 1 from device d where d.user_id = m.user_id and d.enabled)
        when 'paused' then coalesce(m.paused_until, (select u.paused_until from user u where u.id = m.user_id)) is not null
        else not exists (select 1 from scheduled_notification c join survey s on s.id = c.survey_id
          where c.user_id = m.user_id and c.downloaded_at is not null and s.investigation_id = m.investigation_id
            and ${isFor}) end`,
    keys: ['m.investigation_id', 'a.value'],
    indexed: 1,
    size: small,
  },
  {
    kind: 'silence',
    description: 'The last three reminders of the survey were not answered, as staff see.',
    fields: {
      survey: column('The survey.', 's.id'),
      unanswered: column('How many were not, since the last one that was.', 'c.unanswered'),
    },
    from: sql`scheduled_notification c cross join survey s on s.id = c.survey_id
      cross join member m on m.investigation_id = s.investigation_id and m.user_id = c.user_id`,
    where: (user) => sql`c.user_id = ${user} and c.unanswered >= 3 and m.participant_since is not null
      and ${isFor} and ${isShown('m.investigation_id')}`,
    keys: ['c.survey_id'],
    size: small,
  },
  {
    kind: 'access-day',
    description: 'A day on which the user made requests about a study, as an owner or editor of it.',
    fields: {
      investigation: column('The study.', 'd.investigation_id'),
      day: column('The day, by UTC.', 'd.day'),
      requestedAt: column('The first request of the day, or a later one of it.', 'd.first_at'),
    },
    from: sql`access_day d`,
    where: (user) => sql`d.user_id = ${user} and ${isShown('d.investigation_id')}`,
    keys: ['d.investigation_id', 'd.day'],
    size: small,
  },
  {
    kind: 'activity',
    description:
      "An action of the user in a study's log. Its changes are in the log, for people who may read it.",
    fields: {
      investigation: column('The study.', 'a.investigation_id'),
      position: column("The entry's position in the log.", 'a.position'),
      action: column('The action.', 'a.action'),
      reason: column('The reason that the user gave.', 'a.reason'),
      signature: field("The user's signature.", json('a.signature')),
      doneAt: column('When.', 'a.at'),
    },
    from: sql`activity a`,
    where: (user) => sql`a.actor_id = ${user} and ${isShown('a.investigation_id')}`,
    keys: ['a.investigation_id', 'a.position'],
    size: small,
  },
  {
    kind: 'membership-change',
    description: "An action of others on the user's membership, in a study's log.",
    fields: {
      investigation: column('The study.', 'a.investigation_id'),
      position: column("The entry's position in the log.", 'a.position'),
      action: column('The action.', 'a.action'),
      before: field('The role before.', sql`json_remove(a.details -> '$.before', '$.properties')`),
      after: field('The role after.', sql`json_remove(a.details -> '$.after', '$.properties')`),
      code: field('Whether a code was given, changed or removed.', sql`a.details ->> '$.code'`),
      doneAt: column('When.', 'a.at'),
    },
    from: sql`activity a`,
    where: (user) =>
      sql`${sql.raw(memberOfEntry)} = ${user} and a.actor_id <> ${user} and a.action in ('member.added', 'member.removed', 'member.role-changed', 'member.code-changed', 'member.relinked')
        and ${isShown('a.investigation_id')}`,
    keys: ['a.investigation_id', 'a.position'],
    size: small,
  },
];
