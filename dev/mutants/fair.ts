import { faultsIn } from './mutant.ts';

const dailyLimit = ['test/reminders/daily-limit.test.ts'];
const invitations = ['test/studies/invitations.test.ts'];

/** Nobody's requests, studies or invitations cost another person a reminder, an item, or more than a tenth of a second. */
export const fair = [
  ...faultsIn(
    'src/enrolment/turns.ts',
    ['test/enrolment/turns.node.test.ts'],
    [['a long queue at a code dissolves', 'inTurn', 'queue.ended > seen', 'queue.ended < 0']],
  ),
  ...faultsIn('src/studies/invitations.ts', invitations, [
    [
      "strangers' invitations take the place of others",
      'countFromInviter',
      'invited_by = ${inviter} and email = ${email}',
      'email = ${email} and ${inviter} is not null',
    ],
    [
      'as many invitations of one inviter as they like wait for an address',
      'invite',
      'and ${isBelow(countFromInviter(actor, email, now), limits.invitationsFromOne)}',
      '',
    ],
  ]),
  ...faultsIn('src/people/sign-ups.ts', invitations, [
    [
      'a stranger makes a member of another study one of theirs when the app signs up again',
      'chosen',
      'memberships === 0 && ',
      '',
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
    ['nudges do not count towards a day', 'pushesOfRow', '1 + (', '1 + 0 * ('],
  ]),
  ...faultsIn('src/reminders/limit-pushes.ts', dailyLimit, [
    ['a nudge more than a day may have is pushed', 'limit', 'if (mayPush) {', 'if (mayPush || push.again) {'],
    ['reminders that were changed today have a day of their own', 'mostPushes', '+ earlier * ofEach', ''],
  ]),
  ...faultsIn('src/reminders/state.ts', dailyLimit, [
    [
      'each occurrence that is too many has a row',
      'throughOf',
      "reason === 'too-many' && slotOf",
      "reason === '' && slotOf",
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
