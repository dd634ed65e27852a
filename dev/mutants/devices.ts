import { faultsIn } from './mutant.ts';

const races = ['test/routes/devices-races.test.ts'];
const devicesTests = ['test/routes/devices.test.ts', ...races, 'test/routes/outbox.test.ts'];
const deviceFaults = ['test/routes/devices-faults.slow.test.ts'];
const events = ['test/routes/relay-events.test.ts'];
const leaving = ['test/routes/leaving-endpoints.test.ts'];
const budgets = ['test/routes/phones-budgets.test.ts'];

export const devices = [
  ...faultsIn('src/phones/registration.ts', devicesTests, [
    ['an eleventh phone stays', 'const maxDevices = 10;', 'const maxDevices = 11;'],
    [
      'the phone that was seen last is retired',
      'order by seen_at desc, rowid desc',
      'order by seen_at, rowid',
    ],
    [
      'an identifier is taken over from another phone',
      'if (named && !same.some(({ id }) => id === named.id)) throw',
      'if (named && !named) throw',
    ],
    [
      'an endpoint that nobody has any more stays at the relay',
      'released.filter((one) => one.endpoint !== endpoint)',
      '[]',
    ],
    [
      'a platform that is not configured is taken',
      'if (!push.platforms.includes(platform))',
      'if (push.platforms.length === 0)',
    ],
    [
      'a phone that leaves the relay for its former user while another registers it stays away',
      '  if (others.length > 0) await syncPhone(context, device);\n',
      '',
    ],
  ]),
  ...faultsIn('src/phones/registration.ts', deviceFaults, [
    [
      'the former owner of a token is pushed to while the relay is asked',
      'if (others.some(({ userId }) => userId !== null)) await takeFromOthers(context, given, user);',
      '',
    ],
  ]),
  ...faultsIn('src/phones/registration.ts', budgets, [
    [
      'an app that starts reads whatever a move would',
      'isAlone ? noDevice : isRival(phone, own)',
      'isRival(phone, own)',
    ],
  ]),
  ...faultsIn('src/phones/update.ts', races, [
    [
      'a phone that leaves the relay for its former user while another takes its token stays away',
      '  if (healed.isContested) await syncPhone(context, device);\n',
      '',
    ],
  ]),
  ...faultsIn('src/phones/update.ts', deviceFaults, [
    [
      'a token that a phone was being given is forgotten when the request dies',
      '          noteEndpoint(context, { ...given, endpoint, timeZone }),\n',
      '',
    ],
  ]),
  ...faultsIn('src/phones/update.ts', events, [
    [
      'an event takes back the token that a phone is being given',
      'changedAt: changedIfEnabled(now)',
      'changedAt: null',
    ],
  ]),
  ...faultsIn('src/phones/statements.ts', devicesTests, [
    [
      'registering again does not heal',
      "registered = { enabled: true, standing: 'kept'",
      "registered = { standing: 'kept'",
    ],
    [
      'a phone in another zone moves no reminders',
      'union all select ${owner} where ${zone} is not',
      'union all select ${owner} where ${zone} is',
    ],
    [
      'an endpoint has two owners',
      '    or (${devices.endpoint} = ${endpoint} and ${isOwned} and not (${keeper})))`',
      '    )`',
    ],
  ]),
  ...faultsIn('src/phones/statements.ts', leaving, [
    [
      'the endpoint of a phone that is nobody’s is forgotten',
      '.set({ id: newId, userId: null, enabled: false, changedAt: now })',
      '.set({ id: newId, userId: null, enabled: false, changedAt: null })',
    ],
  ]),
  ...faultsIn('src/phones/statements.ts', events, [
    [
      'an event of the relay brings pushes to a phone that is somebody else’s by now',
      'enabled ? eq(devices.standing, registered.standing) : undefined',
      'undefined',
    ],
  ]),
  ...faultsIn('src/phones/removal.ts', devicesTests, [
    [
      'a phone that the relay still has is deleted',
      'if (!(await removeEndpoints(context, [leaving], actor))) {',
      'if (!(await removeEndpoints(context, [leaving], actor)) && !leaving) {',
    ],
    [
      'a phone that was registered while it was deleted stays at the relay',
      '  if (released.endpoint !== leaving.endpoint) await removeEndpoints(context, [released]);\n',
      '',
    ],
  ]),
  ...faultsIn('src/phones/sync.ts', races, [
    [
      'an endpoint that was removed for one user is missed by the next',
      '  await Promise.all(hit.map((phone) => syncPhone(context, phone)));\n',
      '',
    ],
    [
      'the sweep does not look at a phone whose endpoint somebody gave up',
      'if (owner.enabled && !(await syncPhone(context, owner))) return false;',
      'if (owner.enabled && !owner) return false;',
    ],
  ]),
  ...faultsIn('src/phones/sync.ts', leaving, [
    [
      'an endpoint that a phone has again by then is removed',
      'if (owners.length === 0) {',
      'if (owners.length < 2) {',
    ],
  ]),
  ...faultsIn('src/phones/sync.ts', deviceFaults, [
    [
      'a phone that its user deletes comes back when the request dies',
      "if (phone.standing === 'leaving') {",
      "if (phone.standing === 'taken') {",
    ],
  ]),
  ...faultsIn('src/phones/devices.ts', devicesTests, [
    [
      'others read a device',
      '.where(and(eq(devices.id, id), eq(devices.userId, actor)));',
      '.where(eq(devices.id, id));',
    ],
    ['a test push goes to a disabled phone', '  if (!device.enabled) throw deviceDisabled();\n', ''],
  ]),
  ...faultsIn('src/phones/relay-events.ts', events, [
    ['a phone gets what is for another one', "return 'taken-back';", "return 'kept';"],
    [
      'an old event disables a phone that was registered since',
      "device.seenAt <= event.at ? 'disabled' : 'kept'",
      "'disabled'",
    ],
    ['an event counts each time that it comes', "  if (seen) return 'repeated';\n", ''],
  ]),
  ...faultsIn('src/sns/verify.ts', events, [
    [
      'a signature is not looked at',
      "return genuine ? 'genuine' : 'forged'",
      "return genuine ? 'genuine' : 'genuine'",
    ],
    ['a certificate may come from anywhere', ' || !isCertificateUrl(certificateUrl, origins)', ''],
    [
      'forgers have as many certificates fetched as they like',
      "    if (failures.size >= maxFailures) return 'unknown';\n",
      '',
    ],
    ['a certificate that is none is asked for again', '    if (asked) return asked.answer;\n', ''],
  ]),
  ...faultsIn('src/sns/events.ts', events, [
    ['an old event is taken', 'message.at < now - maxAgeMs || ', ''],
    ['an event of any topic is taken', '!topics.includes(message.topic)', 'topics.length === 0'],
  ]),
  ...faultsIn(
    'src/http/rate-limits.ts',
    ['test/routes/rate-limits.test.ts', ...events],
    [
      [
        'an address over its limit still makes work',
        'if (leftMs > 0 && !mayHaveToken(c))',
        'if (leftMs > Infinity)',
      ],
    ],
  ),
];
