/** Columns with the outcome of an occurrence; follow-ups and receipts of it come later, and so may the other phones. */
const outcome = 'counter, due_at, time_zone, attempts, settled_at, state, reason';

/** Records every settled row that is changed or removed. Invalidated rows may come again, unless a phone has them. */
export const watchSettledRows = `
  create table rewritten (what text not null);
  create trigger settled_again after update of ${outcome} on scheduled_notification
    when old.settled_at is not null and (old.state = 'sent' or new.state is not 'sent')
      and (old.state <> 'invalidated' or old.deliveries like '%messageId%')
  begin
    insert into rewritten values (old.occurrence || ' was settled as ' || old.state
      || iif(old.state <> 'sent' and new.settled_at is null, ', and then planned again', ', and then written again'));
  end;
  create trigger delivered_again after update of deliveries on scheduled_notification
    when old.settled_at is not null and new.settled_at is not null and (old.state = 'sent' or new.state is not 'sent')
      and old.retry_at is null and old.deliveries is not new.deliveries
      and (old.state <> 'invalidated' or old.deliveries like '%messageId%')
  begin
    insert into rewritten values (old.occurrence || ' was settled as ' || old.state || ', and then delivered again');
  end;
  create trigger settled_gone after delete on scheduled_notification when old.settled_at is not null
  begin
    insert into rewritten values (old.occurrence || ' was settled as ' || old.state || ', and then removed');
  end;
`;

/** The calendar of the study may change: its surveys note that their plans follow it. */
const ofSurvey = 'update of name, items, reminders, reminders_revision, archived_at';
const watched = [
  { table: 'study_case', noun: 'case', events: ['insert', 'update', 'delete'] },
  { table: 'response', noun: 'response', events: ['insert', 'update', 'delete'] },
  { table: 'survey', noun: 'survey', events: ['insert', ofSurvey, 'delete'] },
];

/** Records every write to rows that a freeze protects. Independent of the triggers of the service, which these check. */
export const watchFrozenStudies = watched
  .flatMap(({ table, noun, events }) =>
    events.map((event) => {
      const [verb] = event.split(' ');
      const row = verb === 'delete' ? 'old' : 'new';
      return `create trigger frozen_${table}_${verb} after ${event} on ${table}
        when (select frozen_at from investigation where id = ${row}.investigation_id) is not null
        begin insert into rewritten values ('a ${noun} of a frozen study met: ${verb}'); end;`;
    }),
  )
  .join('\n');

/**
 * Records every pending row that is removed, except with its user's account, or if an earlier date is pending instead. That
 * of a response moves with its person: another one is pending then, whatever the dates, or the same one is settled.
 */
export const watchPendingRows = `
  create trigger pending_gone after delete on scheduled_notification when old.settled_at is null
    and not exists (select 1 from user where id = old.user_id and deleted_at is not null)
    and not exists (select 1 from scheduled_notification n where n.user_id = old.user_id and n.survey_id = old.survey_id
      and (n.settled_at is null and n.revision = old.revision and n.occurrence < old.occurrence
        or n.settled_at is null and n.revision = old.revision and n.response_end is not null
          and n.occurrence <> old.occurrence and old.response_end is not null
        or n.settled_at is not null and n.response_end = old.response_end))
  begin
    insert into rewritten values (old.occurrence || ' was scheduled, and vanished without a trace');
  end;
`;
