/** The calendar of the study may change: its surveys note that their plans follow it. */
const ofSurvey = 'update of name, items, reminders, reminders_revision, archived_at';
const watched = [
  { table: 'study_case', noun: 'case', events: ['insert', 'update', 'delete'] },
  { table: 'response', noun: 'response', events: ['insert', 'update', 'delete'] },
  { table: 'survey', noun: 'survey', events: ['insert', ofSurvey, 'delete'] },
];

/** Records every write to rows that a freeze protects. Independent of the triggers of the service, which these check. */
export const watchFrozenStudies = `create table frozen_write (what text not null);
${watched
  .flatMap(({ table, noun, events }) =>
    events.map((event) => {
      const [verb] = event.split(' ');
      const row = verb === 'delete' ? 'old' : 'new';
      return `create trigger frozen_${table}_${verb} after ${event} on ${table}
        when (select frozen_at from investigation where id = ${row}.investigation_id) is not null
        begin insert into frozen_write values ('a ${noun} of a frozen study met: ${verb}'); end;`;
    }),
  )
  .join('\n')}`;

type Reader = { query(sql: string): Promise<Record<string, unknown>[]> };

export const readFrozenWrites = async (database: Reader): Promise<string[]> =>
  (await database.query('select what from frozen_write')).map(({ what }) => String(what));
