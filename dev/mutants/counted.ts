import { faultsIn } from './mutant.ts';

const recount = ['test/compliance/compliance-recount.node.test.ts'];
const purge = ['test/studies/study-purge.test.ts'];
const late = ['test/items/late-responses.test.ts'];
const attention = ['test/compliance/attention.test.ts', 'test/compliance/compliance.test.ts'];
const early = [...recount, 'test/compliance/compliance.test.ts'];
const answered = ['test/reminders/invalidated.test.ts'];
const participation = ['test/compliance/participation.test.ts'];

/** Counts agree with a recount, through purges; and a person's export has everything stored about them. */
export const counted = [
  ...faultsIn('migrations/0000_one_point_zero.sql', recount, [
    [
      'what counts otherwise now counts twice',
      'notification_changed',
      'SET `n` = `n` - 1, ',
      'SET `n` = `n`, ',
    ],
    [
      'who answers stays silent',
      'notification_changed',
      "OR coalesce(NEW.`outcome`, 'skipped:answered') = 'skipped:answered')",
      "OR coalesce(NEW.`outcome`, 'skipped:answered') = 'skipped:answered') AND 0",
    ],
  ]),
  ...faultsIn(
    'src/reminders/reactions.ts',
    ['test/items/answered-notifications.test.ts'],
    [
      [
        'an earlier answer that arrives later stays late',
        'noteReactions',
        'told.answeredLate, ${notifications.answeredLate})',
        '${notifications.answeredLate}, told.answeredLate)',
      ],
    ],
  ),
  ...faultsIn('migrations/0000_one_point_zero.sql', attention, [
    [
      'a member who ends the pause of everything is taken off the list, though they pause the study',
      'user_paused',
      "`user_id` = NEW.`id` AND `reason` = 'paused' ON CONFLICT",
      "`user_id` = NEW.`id` AND `reason` = 'paused' AND NEW.`paused_until` IS NOT NULL ON CONFLICT",
    ],
  ]),
  ...faultsIn('migrations/0000_one_point_zero.sql', participation, [
    [
      'an owner who gave up their phone takes part for good',
      'device_changed',
      'WHERE OLD.`user_id` IS NOT NEW.`user_id` AND',
      'WHERE 0 AND',
    ],
    [
      'a phone makes nobody take part',
      'device_added',
      '`participant_since` IS NULL;',
      '`participant_since` IS NULL AND 0;',
    ],
  ]),
  ...faultsIn('src/reminders/statements.ts', answered, [
    [
      'an answer counts nowhere once its reminder will not come',
      'invalidatePending',
      'unlessAnswered("\'invalidated\'", "\'skipped\'")',
      '"\'invalidated\'"',
    ],
    [
      'an answer counts nowhere once the reminders change',
      'settledAs',
      "unlessAnswered('excluded.state', \"'skipped'\")",
      "'excluded.state'",
    ],
    [
      'an answered reminder vanishes behind an earlier one',
      'deletePending',
      'not (${sql.raw(isAnswered)}) and ',
      '',
    ],
  ]),
  ...faultsIn('src/reminders/plan-changes.ts', answered, [
    [
      'an earlier date takes the place of an answered reminder',
      'nextAfter',
      'current.answeredAt !== null',
      'current.answeredAt === 0',
    ],
  ]),
  ...faultsIn('src/compliance/counts.ts', early, [
    [
      'in the totals, who answers before the reminder has not answered it',
      'sumOf',
      'outcome === answeredBefore ? n : answered',
      'answered',
    ],
  ]),
  ...faultsIn('src/compliance/compliance.ts', early, [
    [
      'in their row, who answers before the reminder has not answered it',
      'answeredSum',
      'sum(answered or ${wasAnsweredBefore})',
      'sum(answered)',
    ],
  ]),
  ...faultsIn(
    'src/compliance/compliance.ts',
    ['test/compliance/compliance.test.ts'],
    [
      [
        'a push in Auckland is in no default period of a study of New York',
        'readLatestDate',
        'study.counted > today ? study.counted : today',
        'study.counted > today ? today : today',
      ],
    ],
  ),
  ...faultsIn('src/compliance/compliance.ts', participation, [
    ['staff who take no part have a row', 'pageOf', ' and m.participant_since is not null', ''],
  ]),
  ...faultsIn('src/studies/members.ts', participation, [
    [
      'who becomes a responder is due what came before',
      'sinceWhen',
      'coalesce(member.participant_since, ${now})',
      'coalesce(member.participant_since, member.created_at)',
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
  ...faultsIn('src/items/schema.ts', late, [
    [
      'an answer of a phone that was offline counts when it is received',
      'givenAt',
      'coalesce(${table}.given_at, ${table}.created_at)',
      '${table}.created_at',
    ],
  ]),
  ...faultsIn('src/items/responses.ts', late, [
    [
      'an answer of a phone that was offline belongs to the newest reminder',
      'createResponse',
      'const at = given.at ?? now;',
      'const at = now;',
    ],
  ]),
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
