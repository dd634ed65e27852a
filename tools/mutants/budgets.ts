import { faultsIn } from './mutant.ts';

const deliveries = ['test/reminders/deliveries-budgets.test.ts'];

/** Operations have a bounded cost, whatever the size of the tables. */
export const budgets = [
  ...faultsIn(
    'src/permissions/visibility.ts',
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
    'src/reminders/history-page.ts',
    ['test/reminders/notifications.test.ts'],
    [
      [
        'a page of one survey looks at the whole past of its person',
        'historyPage',
        '${isBehind} limit ${maxLooked}`',
        '${isBehind}`',
      ],
    ],
  ),
  ...faultsIn('src/reminders/settle.ts', deliveries, [
    [
      'a delivered reminder writes its notification twice',
      'upsertNotifications',
      'do update set counter',
      'do update set due_at = excluded.due_at, counter',
    ],
  ]),
];
