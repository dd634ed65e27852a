import { faultsIn } from './mutant.ts';

const overlapping = ['test/reminders/overlapping-turns.test.ts'];
const candidates = ['test/items/answered-notifications.test.ts'];

const recount = ['test/compliance/compliance-recount.node.test.ts'];
const purge = ['test/studies/study-purge.test.ts'];
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
  ...faultsIn('src/reminders/settle.ts', overlapping, [
    [
      'an answer counts nowhere once its reminder will not come',
      'isTakenBack',
      'coalesce(notification.answered_at >= notification.due_at, 0)',
      '0',
    ],
  ]),
  ...faultsIn('src/reminders/answers.ts', belonging, [
    [
      'an answer takes the reminder of its date away, whichever it belongs to',
      'answersFor',
      'isTriggered || of === revision',
      'isTriggered',
    ],
  ]),
  ...faultsIn('src/reminders/candidates.ts', candidates, [
    ['a reminder that has its answer takes the next one', 'isUnanswered', 'n.answered_at > :at', '1'],
  ]),
];
