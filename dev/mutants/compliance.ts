import { faultsIn } from './mutant.ts';

const counts = ['test/routes/compliance-counts.test.ts'];
const reading = ['test/routes/compliance.test.ts', ...counts];
const attention = ['test/routes/compliance.test.ts'];

/** What is counted of reminders, and how it is read. */
export const compliance = [
  ...faultsIn('migrations/0000_one_point_zero.sql', counts, [
    [
      'counts are purged with the notifications',
      'CREATE TRIGGER `notification_purged` AFTER DELETE ON `scheduled_notification`\nWHEN ',
      'CREATE TRIGGER `notification_purged` AFTER DELETE ON `scheduled_notification`\nWHEN 0 AND ',
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', counts, [
    [
      'what was invalidated during its push is in no count',
      "AND coalesce(OLD.`state`, 'invalidated') = 'invalidated' AND NEW",
      'AND OLD.`state` IS NULL AND NEW',
    ],
    ['the last of a day stands for all', 'coalesce(`counts` ->> NEW.`counter`, 0) + 1', '1'],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', attention, [
    [
      'who downloads a survey has never downloaded one',
      'CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` BEGIN',
      'CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` WHEN 0 BEGIN',
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', attention, [
    [
      'each reminder of a participant counts twice',
      'coalesce(`tally` ->> `outcome`, 0) + 1',
      'coalesce(`tally` ->> `outcome`, 0) + 2',
    ],
    [
      'who answers stays silent',
      'CREATE TRIGGER `notification_answered` AFTER UPDATE OF `answered_at` ON `scheduled_notification`\nWHEN ',
      'CREATE TRIGGER `notification_answered` AFTER UPDATE OF `answered_at` ON `scheduled_notification`\nWHEN 0 AND ',
    ],
  ]),
  ...faultsIn(
    'migrations/0000_one_point_zero.sql',
    ['test/node/simulator/regressions.slow.test.ts'],
    [
      [
        'what is settled late is counted for its survey only',
        '1, NEW.`late`);\n  INSERT',
        '1, 0);\n  INSERT',
      ],
    ],
  ),
  ...faultsIn('src/model/compliance-counts.ts', counts, [
    [
      'what was skipped was not due',
      '.reduce((sum, n) => sum + n, sent + failed)',
      '.reduce((sum) => sum, sent + failed)',
    ],
    ['totals are of whole months', 'date < from || date > to', 'false'],
  ]),
  ...faultsIn('src/model/compliance.ts', reading, [
    [
      'an archived survey takes its counts along',
      'where s.investigation_id = ${investigation} ${survey',
      'where s.investigation_id = ${investigation} and s.archived_at is null ${survey',
    ],
    ['a period begins a day late', '.occurs_on >= ${from}', '.occurs_on > ${from}'],
    [
      'what was purged is in the totals only',
      'c.survey_id = q.survey and c.month',
      'c.survey_id = q.survey and 0 and c.month',
    ],
    [
      'former members are listed',
      'sql`select m.user_id from current_member m where m.investigation_id = ${investigation}',
      'sql`select m.user_id from (select ${investigation} as investigation_id, id as user_id from user) m where m.investigation_id = ${investigation}',
    ],
  ]),
  ...faultsIn(
    'src/model/compliance.ts',
    ['test/routes/compliance-size.test.ts'],
    [['CSV sums totals that it does not show', '${Number(asks)} and ', '']],
  ),
  ...faultsIn(
    'src/model/pauses.ts',
    ['test/routes/hourly.test.ts'],
    [['pauses that ran out are kept for ever', 'paused_until < ${now - keptMs}', 'paused_until < 0']],
  ),
];
