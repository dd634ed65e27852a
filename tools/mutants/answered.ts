import { faultsIn } from './mutant.ts';

/** The participants' page says of an answer what the service said, and stores what was typed. */
export const answered = [
  ...faultsIn(
    'participant/verdict.ts',
    ['test/participant/verdicts.node.test.ts'],
    [
      [
        "a Wi-Fi's own page makes an answer a sent one",
        'verdictOf',
        ' && uri === `/response/${identifier}`',
        '',
      ],
      [
        'an answer that is set aside is a sent one',
        'verdictOf',
        "{ state: 'aside', why:",
        "{ state: 'sent', why:",
      ],
      [
        "somebody else's 404 refuses an answer for good",
        'verdictOfError',
        "code === 'unknown'",
        "code === ''",
      ],
    ],
  ),
  ...faultsIn(
    'participant/telling.ts',
    ['test/participant/verdicts.node.test.ts'],
    [['a refused answer is thanked for', 'headingOf', 'return sent.refusedText;', 'return survey.sent;']],
  ),
  ...faultsIn(
    'participant/due.ts',
    ['test/participant/due.node.test.ts'],
    [
      [
        "yesterday's answer takes today's reminder away",
        'isAnswered',
        'if (one.notification) return one.notification === notification;',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'participant/answers.ts',
    ['test/participant/answers.node.test.ts'],
    [
      [
        '10.000 is stored as ten, unasked',
        'numberFault',
        '!isOneOf(reading, chosen)',
        'text !== reading.decimal',
      ],
      [
        'a text loses its white space',
        'storedAnswer',
        "!== 'number') return typed;",
        "!== 'number') return typed.trim();",
      ],
    ],
  ),
  ...faultsIn(
    'src/decimals.ts',
    ['test/items/answer-kinds-exact.test.ts'],
    [['a bound holds to seventeen digits', 'compareDecimals', 'x.sign !== y.sign', 'true']],
  ),
];
