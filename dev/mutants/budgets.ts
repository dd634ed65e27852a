import { faultsIn } from './mutant.ts';

/** Operations have a bounded cost, whatever the size of the tables. */
export const budgets = [
  ...faultsIn(
    'src/access/visibility.ts',
    ['test/http/budgets.test.ts'],
    [['a lock reads every item of the study', 'asMemberOf', 'sql`+${', 'sql`${']],
  ),
  ...faultsIn(
    'src/phones/registration.ts',
    ['test/phones/phones-budgets.test.ts'],
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
    ['test/reminders/replan-portions.test.ts'],
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
    'src/reminders/history.ts',
    ['test/reminders/history-pages.test.ts'],
    [['a page of the history reads all that is newer', 'pageText', 'and h.occurrence < :end', '']],
  ),
];
