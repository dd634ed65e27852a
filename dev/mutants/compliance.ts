import { faultsIn } from './mutant.ts';

const counts = ['test/routes/compliance-counts.test.ts'];
const recount = ['test/node/compliance-recount.test.ts'];
const reading = ['test/routes/compliance.test.ts', ...counts];

/** What is counted of reminders, and how it is read. */
export const compliance = [
  ...faultsIn('migrations/0000_one_point_zero.sql', recount, [
    ['what counts otherwise now counts twice', 'SET `n` = `n` - 1, `shown`', 'SET `n` = `n`, `shown`'],
    [
      'who answers stays silent',
      "OR coalesce(NEW.`outcome`, 'skipped:answered') = 'skipped:answered')",
      "OR coalesce(NEW.`outcome`, 'skipped:answered') = 'skipped:answered') AND 0",
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', reading, [
    [
      'who downloads a survey has never downloaded one',
      'CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` BEGIN',
      'CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` WHEN 0 BEGIN',
    ],
  ]),
  ...faultsIn(
    'migrations/0000_one_point_zero.sql',
    ['test/routes/attention.test.ts'],
    [
      [
        'who ends the pause of everything is taken off the list, though they pause the study',
        "WHERE `user_id` = NEW.`id` AND `reason` = 'paused' ON CONFLICT DO NOTHING;",
        "WHERE `user_id` = NEW.`id` AND `reason` = 'paused' AND NEW.`paused_until` IS NOT NULL ON CONFLICT DO NOTHING;",
      ],
    ],
  ),
  ...faultsIn('src/operations/maintenance.ts', counts, [
    ['counts are purged with the notifications', 'where outcome is not null group by', 'where 0 group by'],
  ]),
  ...faultsIn('src/compliance/compliance.ts', reading, [
    [
      'an archived survey takes its counts along',
      'where s.investigation_id = ${investigation} ${survey',
      'where s.investigation_id = ${investigation} and s.archived_at is null ${survey',
    ],
    ['a period begins a day late', '.occurrence >= ${from}', '.occurrence > ${from}'],
    [
      'former members are listed',
      'sql`select m.user_id from current_member m where m.investigation_id = ${investigation}',
      'sql`select m.user_id from (select ${investigation} as investigation_id, id as user_id from user) m where m.investigation_id = ${investigation}',
    ],
  ]),
  ...faultsIn(
    'src/people/pauses.ts',
    ['test/routes/hourly.test.ts'],
    [['pauses that ran out are kept for ever', 'paused_until < ${now - keptMs}', 'paused_until < 0']],
  ),
];
