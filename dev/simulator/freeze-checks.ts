import { type Facts, stamp } from './facts.ts';

/** Longest time between reading the state of a study and settling by it, with every retry. */
const decidingMs = 3 * 60_000;

/** Reminders are skipped as `study-frozen` while their study is frozen, and return when that has ended. */
export function findWrongFreezes({ run, rows }: Facts): string[] {
  const { frozen } = run.records.study;
  // Rows are settled by the server's clock, which such a fault moves away from true time.
  const clockMoves = run.scenario.faults.some(({ what }) => what === 'clock');
  return rows.flatMap(({ on, reason, settledAt }) => {
    if (reason !== 'study-frozen' || settledAt === null) return [];
    const during: [number, number] = clockMoves
      ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [settledAt - decidingMs, settledAt + decidingMs];
    return frozen.possible(...during).includes(true)
      ? []
      : [`${on}: skipped as study-frozen at ${stamp(settledAt)}, when the study was not frozen`];
  });
}

/** The calendar of the study may change: its surveys note that their plans follow it. */
const ofSurvey = 'update of name, items, reminders, reminders_revision, archived_at';
const watched = [
  { table: 'study_case', noun: 'case', events: ['insert', 'update', 'delete'] },
  { table: 'response', noun: 'response', events: ['insert', 'update', 'delete'] },
  { table: 'survey', noun: 'survey', events: ['insert', ofSurvey, 'delete'] },
];

/** Notes every write to what a freeze keeps. Apart from the triggers of the service, which these check. */
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
