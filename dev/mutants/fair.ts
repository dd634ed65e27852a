import { faultsIn } from './mutant.ts';

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
    'src/schedule/agenda.ts',
    ['test/schedule/agenda.test.ts'],
    [
      [
        'an agenda looks at as many occurrences as there are',
        'foresee',
        'looked === maxLooked',
        'looked < 0',
      ],
    ],
  ),
  ...faultsIn(
    'src/schedule/daily-limit.ts',
    ['test/reminders/deliveries-portions.slow.test.ts'],
    [['the last study is served first', 'isOlder', 'a.joinedAt < b.joinedAt', 'a.joinedAt > b.joinedAt']],
  ),
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
