import { faultsIn } from './mutant.ts';

const tests = ['test/participant/reminding.node.test.ts'];

/** A participant's page says of reminders what it knows, and a push is shown whatever it is. */
export const reminding = [
  ...faultsIn('participant/reminding-state.ts', tests, [
    [
      'reminders are on though the phone blocks them',
      'remindingOf',
      "permission === 'denied' || (wanted",
      "device === undefined && permission === 'denied' || (wanted",
    ],
    [
      'a permission that was taken back is an invitation like the first',
      'remindingOf',
      "(wanted && permission === 'ask')",
      "(!wanted && permission === 'ask')",
    ],
    [
      'reminders are on though the last look found a fault',
      'remindingOf',
      'isWell === false',
      'isWell === null',
    ],
    [
      'reminders are on though nobody has looked for days',
      'remindingOf',
      'now - look.at < goodForMs',
      'now > look.at',
    ],
  ]),
  ...faultsIn('participant/push-data.ts', tests, [
    ['a declarative push is shown without its text', 'pushedIn', ', ...defined(notification)', ''],
    ['a push of another form is shown as it is', 'pushedIn', "typeof body === 'string' ? body : ''", 'body'],
    ['a push that cannot be read is not shown', 'pushedIn', 'return unreadable;', 'throw new Error();'],
  ]),
];
