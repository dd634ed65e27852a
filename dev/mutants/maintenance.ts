import { faultsIn } from './mutant.ts';

const sweep = ['test/routes/sweep.test.ts'];
const hourly = ['test/routes/hourly.test.ts'];
const purge = ['test/routes/notification-purge.test.ts'];

/** What the clock starts: the sweep and the hourly work. */
export const maintenance = [
  ...faultsIn(
    'src/reminders/replan.ts',
    ['test/routes/replan-portions.test.ts'],
    [['one invocation reads studies of any size', 'while (budget.pages-- > 0)', 'while (budget.pages > 0)']],
  ),
  ...faultsIn(
    'src/platform/server/clock.ts',
    ['test/node/platform/clock.test.ts'],
    [
      ['a clock that was set is believed', 'Math.abs(aheadMs) <= toleranceMs', 'true'],
      [
        'a machine that slept delivers nothing any more',
        'relay === undefined ? offset : relay - monotonic',
        'offset',
      ],
    ],
  ),
  ...faultsIn(
    'src/platform/server/alarm-scheduler.ts',
    ['test/node/platform/alarm-scheduler.slow.test.ts'],
    [['a clock that was set delivers', '    if (this.#clockDisagrees()) return;\n', '']],
  ),
  ...faultsIn(
    'src/operations/sweep.ts',
    ['test/routes/sweep.test.ts'],
    [['a sweep settles by a clock that was set', '  if (services.clockAgrees?.() === false) return;\n', '']],
  ),
  ...faultsIn('src/operations/sweep-work.ts', sweep, [
    ['jobs that fail stand in the way of the rest', '...(job !== undefined && { job }),', ''],
  ]),
  ...faultsIn('src/reminders/left.ts', sweep, [
    [
      'what a member is to get is settled instead of delivered',
      '(m.user_id is null or (j.number',
      '(1 or (j.number',
    ],
    [
      'what is pending in a study that one has left waits until it is due',
      'm.user_id is null and ${hasNext}',
      'm.user_id is null and 0',
    ],
  ]),
  ...faultsIn('src/reminders/start-replans.ts', sweep, [
    [
      'a job that fails ends the sweep',
      "services.log({ event: 'replan.failed', error: rootMessage(error) }),",
      'Promise.reject(error),',
    ],
  ]),
  ...faultsIn('src/attempt.ts', hourly, [
    [
      'a step that fails ends the hourly work',
      '    log({ event, error: rootMessage(error) });\n',
      '    log({ event, error: rootMessage(error) });\n    throw error;\n',
    ],
  ]),
  ...faultsIn('src/operations/maintenance.ts', hourly, [
    [
      'the hourly work stops behind its first slice',
      "rows.length < limit ? '' : (rows.at(-1)?.id ?? '')",
      "rows.at(-1)?.id ?? ''",
    ],
  ]),
  ...faultsIn('src/operations/reconcile.ts', hourly, [
    [
      'a chunk that fails is not purged',
      "await step('notifications', () => purgeNotifications(context, users));",
      '',
    ],
  ]),
  ...faultsIn('src/reminders/state.ts', purge, [
    [
      'dates come back after they were purged',
      'Math.max(state.since, context.now - horizonMs)',
      'state.since',
    ],
  ]),
  ...faultsIn('src/operations/maintenance.ts', purge, [
    ['the purge reads what is kept', 'and n.occurrence < ${lastDate}', ''],
    ['the purge removes what is kept', 'where n.settled_at < ${before} limit', 'limit'],
    ['a purge ends after its first thousand', 'const maxPurges = 20;', 'const maxPurges = 1;'],
  ]),
  ...faultsIn(
    'src/studies/purge.ts',
    ['test/routes/study-purge.test.ts'],
    [
      [
        'each slice of a purge frees a study of its creator',
        'where id = ${study}) and ${isLast}`),\n    db.delete(investigations)',
        'where id = ${study})`),\n    db.delete(investigations)',
      ],
    ],
  ),
];
