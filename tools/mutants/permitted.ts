import { faultsIn } from './mutant.ts';

const decisions = ['test/schedule/decide.node.test.ts', 'test/schedule/decide-all.node.test.ts'];
const deviceFaults = ['test/phones/devices-faults.slow.test.ts'];
const settings = ['test/platform/config.node.test.ts'];
const relinks = ['test/enrolment/relinks.test.ts'];
const browsers = ['test/push/web-push/push.node.test.ts'];
const endedPhones = ['test/enrolment/ended-phones.test.ts'];

/** Nothing is sent that the state at that moment forbids, nor to a phone that is somebody else's. */
export const permitted = [
  ...faultsIn('src/push/web-push/subscription.ts', browsers, [
    ['any host is pushed to', 'listedHost', 'return hosts.find(', 'return hosts[0] ?? hosts.find('],
  ]),
  ...faultsIn('src/enrolment/enrol.ts', endedPhones, [
    [
      'the old phone is reminded after a new one came',
      'relink',
      'releasePhones(context, sql`user_id = ${user}`)',
      "releasePhones(context, sql`user_id = 'nobody'`)",
    ],
  ]),
  ...faultsIn('src/enrolment/end-tokens.ts', endedPhones, [
    [
      'ended tokens leave their phones the reminders',
      'endTokens',
      'sql`user_id = ${actor} and',
      'sql`user_id is null and',
    ],
  ]),
  ...faultsIn('src/phones/registration.ts', endedPhones, [
    [
      'a phone registers with a token that has ended',
      'add',
      'coalesce(${users.subject} = ${subject ?? null}, 1)',
      '1',
    ],
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
  ...faultsIn('src/config.ts', settings, [
    [
      'a secret that everybody knows starts in production',
      'readConfig',
      'local ? new Map',
      'present ? new Map',
    ],
    ['a shared secret guards a public address', 'refusedInPublic', 'env.AUTH_SECRET && !onLoopback', 'false'],
  ]),
  ...faultsIn('src/platform/server/settings.ts', settings, [
    [
      'a file of settings brings a server into local mode',
      'readSettings',
      "local && onLoopback ? 'true' : ''",
      "env.FIELDBELL_LOCAL ?? ''",
    ],
  ]),
  ...faultsIn(
    'src/platform/cloudflare/start.ts',
    ['test/http/local-mode.test.ts'],
    [['a deployed Worker is in local mode', 'checkReach', '!isLoopback(', 'isLoopback(']],
  ),
  ...faultsIn('src/push/web-push/push.ts', browsers, [
    ['a redirect is followed', 'byFetch', "redirect: 'manual'", "redirect: 'follow'"],
  ]),
  ...faultsIn('src/schedule/decide.ts', decisions, [
    [
      'a stale reminder is sent',
      'findOccurrence',
      "if (push.revision !== state.revision) return 'stale';",
      '',
    ],
    ['former members are reminded', 'findOccurrence', "if (!state.member) return 'left-study';", ''],
    ['people who have answered are reminded', 'judge', ': answerFor(push)', ': undefined'],
  ]),
  ...faultsIn(
    'src/schedule/decide.ts',
    ['test/simulator/studies.node.test.ts'],
    [['a frozen study reminds', 'judge', "if (frozen) return skip('study-frozen');", '']],
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
    'src/enrolment/enrol.ts',
    ['test/enrolment/enrolments.test.ts'],
    [
      ['a code works once more for those who ask at once', 'use', 'used < uses and', ''],
      ['a code that ends meanwhile works once more', 'use', 'ended_at is null and', ''],
      [
        'somebody enrols into a place that an invitation has taken',
        'enrol',
        'found.memberCount + (invited?.count ?? 0)',
        'found.memberCount + 0 * (invited?.count ?? 0)',
      ],
    ],
  ),
  ...faultsIn('src/enrolment/enrol.ts', relinks, [
    ['two phones use one code for a new phone', 'use', 'used < uses and', ''],
    ['a code for a new phone that ends meanwhile works', 'use', 'ended_at is null and', ''],
    [
      'a code for a new phone opens what its participant has left or joined meanwhile',
      'relink',
      'use(context, found, isOpenMember)',
      'use(context, found, sql`1`)',
    ],
    [
      'a code for a new phone opens other studies',
      'takesPartHere',
      'and not ${isElsewhere(user, investigation)}',
      '',
    ],
  ]),
  ...faultsIn('src/enrolment/relinks.ts', relinks, [
    [
      'a code for a new phone is made while its participant joins another study',
      'createRelink',
      ' and not ${isElsewhere(user, investigation)}',
      '',
    ],
    [
      'a code for a new phone is made for a participant of another study',
      'createRelink',
      'if (member.elsewhere) throw elsewhere();',
      '',
    ],
  ]),
  ...faultsIn(
    'src/enrolment/relinks.ts',
    ['test/enrolment/tokens.test.ts'],
    [
      ['a code for a new phone works twice', 'createRelink', 'uses: 1,', 'uses: 2,'],
      [
        'a code for a new phone works for two days',
        'createRelink',
        'now + lifetimeMs',
        'now + 2 * lifetimeMs',
      ],
    ],
  ),
  ...faultsIn('src/enrolment/elsewhere.ts', relinks, [
    [
      'answers that were given to another study do not keep it closed',
      'isElsewhere',
      'given.investigation_id > ${investigation}',
      '0',
    ],
    [
      'answers that were given to an older study do not keep it closed',
      'isElsewhere',
      'given.investigation_id < ${investigation}',
      '0',
    ],
  ]),
  ...faultsIn(
    'src/enrolment/codes.ts',
    ['test/enrolment/random-codes.test.ts'],
    [
      ['codes have 48 random bits', 'newCode', 'byte & 31', 'byte & 15'],
      [
        'codes have 55 random bits: a character repeats another',
        'newCode',
        ".join('')",
        ".with(11, 'Z').map((one, n, all) => (n === 11 ? (all[0] ?? '') : one)).join('')",
      ],
    ],
  ),
  ...faultsIn(
    'src/enrolment/enrol.ts',
    ['test/enrolment/uses.test.ts'],
    [
      ['one address uses up a code', 'enrol', 'if (!isCounted) await countUse();', ''],
      [
        'repeats count as uses',
        'enrol',
        'if (known) return',
        'if (known) await countUse();\n    if (known) return',
      ],
    ],
  ),
  ...faultsIn(
    'src/enrolment/end-tokens.ts',
    ['test/enrolment/tokens.test.ts'],
    [['tokens that were ended go on', 'endTokens', 'newSecret()', 'users.subject']],
  ),
];
