import { faultsIn } from './mutant.ts';

const recount = ['test/compliance/compliance-recount.node.test.ts'];
const purge = ['test/studies/study-purge.test.ts'];
const attention = ['test/compliance/attention.test.ts', 'test/compliance/compliance.test.ts'];
const answered = ['test/reminders/invalidated.test.ts'];
const belonging = ['test/reminders/belonging.test.ts'];

/** Counts agree with a recount, through purges; and a person's export has everything stored about them. */
export const counted = [
  ...faultsIn('migrations/0000_one_point_zero.sql', recount, [
    [
      'a reminder with another outcome counts twice',
      'notification_changed',
      'SET `n` = `n` - 1, ',
      'SET `n` = `n`, ',
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', attention, [
    [
      'a member who ends the pause of everything is taken off the list, though they pause the study',
      'user_paused',
      "`user_id` = NEW.`id` AND `reason` = 'paused' ON CONFLICT",
      "`user_id` = NEW.`id` AND `reason` = 'paused' AND NEW.`paused_until` IS NOT NULL ON CONFLICT",
    ],
  ]),
  ...faultsIn('src/reminders/statements.ts', answered, [
    [
      'an answer counts nowhere once its reminder will not come',
      'invalidatePending',
      'unlessAnswered("\'invalidated\'", "\'skipped\'")',
      '"\'invalidated\'"',
    ],
  ]),
  ...faultsIn('src/reminders/answers.ts', belonging, [
    [
      'an answer takes the reminder of its date away, whichever it belongs to',
      'answersFor',
      'notification === null ? null : partsOfOccurrence(notification)',
      'notification === null || !unlessAnswered ? null : null as never',
    ],
  ]),
  ...faultsIn('src/schedule/answers.ts', belonging, [
    [
      'an answer before its reminder belongs to the one of the evening before',
      'belongsTo',
      '(coming ?? due)',
      'due',
    ],
    [
      'an answer after midnight belongs to the reminder of the new date',
      'isBeforeExpiry',
      'at < dueAt + expiresAfter * minuteMs',
      'false',
    ],
    [
      'an answer that belongs to no reminder holds back all of its date',
      'holdsBack',
      'if (slot === undefined) return true;',
      'if (slot !== -1) return true;',
    ],
  ]),
  ...faultsIn('src/reminders/reactions.ts', belonging, [
    [
      'a reminder that is planned late takes an answer of another one',
      'firstAnswer',
      '(r.notification is null',
      '(1',
    ],
  ]),
  ...faultsIn(
    'src/reminders/candidates.ts',
    ['test/items/answered-notifications.test.ts'],
    [
      [
        'a reminder that has its answer takes the next one',
        'isUnanswered',
        "${notifications.outcome} is not 'skipped:answered', ${notifications.answeredAt} > ${at}",
        '1, 1',
      ],
    ],
  ),
  ...faultsIn(
    'src/operations/maintenance.ts',
    ['test/compliance/compliance-counts.test.ts'],
    [
      [
        'counts are purged with the notifications',
        'keepCounts',
        'where outcome is not null group by',
        'where 0 group by',
      ],
    ],
  ),
  ...faultsIn('src/studies/purge.ts', purge, [
    [
      'each slice of a purge frees a study of its creator',
      'purgeStudySlice',
      'where id = ${study}) and ${isLast}',
      'where id = ${study})',
    ],
  ]),
  ...faultsIn(
    'src/people/exports.ts',
    ['test/people/user-export.test.ts'],
    [
      [
        'an export drops what is behind a long row',
        'pageOf',
        'total - size < ${pageBytes}',
        'total < ${pageBytes}',
      ],
    ],
  ),
];
