import { faultsIn } from './mutant.ts';

/** What an operation costs is bounded, whatever the size of the tables. */
export const budgets = [
  ...faultsIn(
    'src/access/visibility.ts',
    ['test/routes/budgets.test.ts'],
    [['a lock reads every item of the study', 'asMemberOf', 'sql`+${', 'sql`${']],
  ),
  ...faultsIn(
    'src/phones/registration.ts',
    ['test/routes/phones-budgets.test.ts'],
    [
      [
        'an app that starts reads whatever a move would',
        'renew',
        'isAlone ? noDevice : isRival(phone, own)',
        'isRival(phone, own)',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/replan.ts',
    ['test/routes/replan-portions.test.ts'],
    [
      [
        'one invocation reads studies of any size',
        'replanMany',
        'while (budget.pages-- > 0)',
        'while (budget.pages > 0)',
      ],
    ],
  ),
  ...faultsIn(
    'src/operations/maintenance.ts',
    ['test/routes/notification-purge.test.ts'],
    [['a purge ends after its first thousand', 'maxPurges', '20', '1']],
  ),
];
