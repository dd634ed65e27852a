import { faultsIn } from './mutant.ts';

const decisions = ['test/schedule/decide.test.ts', 'test/schedule/decide-all.test.ts'];
const deviceFaults = ['test/phones/devices-faults.slow.test.ts'];
const events = ['test/phones/relay-events.test.ts'];

const browsers = ['test/web-push/push.test.ts'];

/** Nothing is sent that the state at that moment forbids, nor to a phone that is somebody else's. */
export const permitted = [
  ...faultsIn('src/web-push/subscription.ts', browsers, [
    ['any host is pushed to', 'isListed', 'return hosts.some(', 'return true || hosts.some('],
    ['a host that only ends like a listed one is pushed to', 'isListed', 'host.slice(1)', 'host.slice(2)'],
  ]),
  ...faultsIn(
    'src/http/auth/authenticate.ts',
    ['test/http/authentication.test.ts'],
    [
      [
        'a token that was good by a clock that was ahead stays good',
        'cachedVerify',
        'cached.at <= now && ',
        '',
      ],
    ],
  ),
  ...faultsIn('src/web-push/push.ts', browsers, [
    [
      'a browser that is gone is pushed to for ever',
      'outcomeOf',
      'status === 404 || status === 410',
      'false',
    ],
    ['a redirect is followed', 'createWebPush', "redirect: 'manual'", "redirect: 'follow'"],
  ]),
  ...faultsIn('src/schedule/decide.ts', decisions, [
    ['what is stale is sent', 'findOccurrence', "if (push.revision !== state.revision) return 'stale';", ''],
    ['who left is reminded', 'findOccurrence', "if (!state.member) return 'left-study';", ''],

    ['who has answered is reminded', 'judge', ': answered.has(on)', ': false'],
  ]),
  ...faultsIn(
    'src/schedule/decide.ts',
    ['test/schedule/follow-ups.test.ts'],
    [['a nudge waits for quiet hours to end', 'judge', 'isNudge && (until', 'false && (until']],
  ),
  ...faultsIn(
    'src/schedule/decide.ts',
    ['test/simulator/studies.test.ts'],
    [['a frozen study reminds', 'judge', "if (frozen) return skip('study-frozen');", '']],
  ),
  ...faultsIn(
    'src/reminders/follow-ups.ts',
    ['test/reminders/nudges.test.ts'],
    [
      [
        'a snooze leaves the times of nudges as they were',
        'toSent',
        '(reachedAt(snooze) ?? Date.parse(snooze.at))',
        '(settledAt ?? dueAt)',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/state.ts',
    ['test/people/pauses.test.ts'],
    [['a pause of one study is passed over', 'reminderColumns', 'coalesce(m.paused_until, 0)', '0']],
  ),
  ...faultsIn(
    'src/items/response-content.ts',
    ['test/items/answer-kinds.test.ts'],
    [
      [
        'a change may make any answer of an item',
        'mergeContent',
        'checkAnswers(surveyItems, after.items, before.items);',
        '',
      ],
    ],
  ),
  ...faultsIn('src/phones/registration.ts', deviceFaults, [
    [
      'the former owner of a taken phone is pushed to while the relay is asked',
      'registerDevice',
      'await takeFromOthers(context, given, user)',
      'void takeFromOthers',
    ],
  ]),
  ...faultsIn(
    'src/phones/statements.ts',
    ['test/phones/leaving-endpoints.test.ts'],
    [
      [
        'the endpoint of a phone that is nobody’s is forgotten',
        'release',
        'enabled: false, changedAt: now',
        'enabled: false, changedAt: null',
      ],
    ],
  ),
  ...faultsIn('src/phones/statements.ts', events, [
    [
      'an event of the relay brings pushes to a taken phone',
      'setEnabled',
      'enabled ? eq(devices.standing, registered.standing) : undefined',
      'undefined',
    ],
  ]),
  ...faultsIn(
    'src/enrolment/enrol.ts',
    ['test/enrolment/enrolments.test.ts'],
    [['a code works once more for those who ask at once', 'use', 'used < uses and', '']],
  ),
  ...faultsIn(
    'src/enrolment/end-tokens.ts',
    ['test/enrolment/tokens.test.ts'],
    [['tokens that were ended go on', 'endTokens', 'newSecret()', 'users.subject']],
  ),
];
