import { faultsIn } from './mutant.ts';

const dailyLimit = ['test/reminders/daily-limit.test.ts'];
const invitations = ['test/studies/invitations.test.ts'];

/** Nobody's requests, studies or invitations cost another person a reminder, an item, or more than a tenth of a second. */
export const fair = [
  ...faultsIn('src/studies/invitations.ts', invitations, [
    [
      "strangers' invitations take the place of others",
      'countFromInviter',
      'invited_by = ${inviter} and email = ${email}',
      'email = ${email} and ${inviter} is not null',
    ],
  ]),
  ...faultsIn(
    'src/schedule/foresee.ts',
    ['test/schedule/foresee.test.ts'],
    [
      [
        'an agenda looks at as many occurrences as there are',
        'foresee',
        'looked === maxLooked',
        'looked < 0',
      ],
    ],
  ),
  ...faultsIn('src/reminders/daily-pushes.ts', dailyLimit, [
    [
      'a day of one study counts what others have pushed',
      'readDailyPushes',
      's.investigation_id = a.study',
      's.investigation_id in (select m.investigation_id from member m where m.user_id = ${user})',
    ],
  ]),
  ...faultsIn(
    'src/db/join-batches.ts',
    ['test/db/join-batches.test.ts'],
    [
      [
        'one caller fails with the others of its batch',
        'joinBatches',
        'calls.length === 1 || isSharedFault(error)',
        'calls.length > 0',
      ],
    ],
  ),
  ...faultsIn(
    'src/http/rate-limits.ts',
    ['test/http/rate-limits.test.ts'],
    [
      [
        'an address over its limit still makes work',
        'limitRefused',
        'leftMs > 0 && !mayHaveToken(c)',
        'leftMs > Infinity',
      ],
    ],
  ),
];
