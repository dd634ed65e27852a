import { faultsIn } from './mutant.ts';

const races = ['test/routes/devices-races.test.ts'];
const devicesTests = ['test/routes/devices.test.ts', ...races, 'test/routes/outbox.test.ts'];
const deviceFaults = ['test/routes/devices-faults.slow.test.ts'];
const events = ['test/routes/relay-events.test.ts'];

export const devices = [
  ...faultsIn('src/model/device-registrations.ts', devicesTests, [
    ['an eleventh phone stays', 'const maxDevices = 10;', 'const maxDevices = 11;'],
    ['the phone that was seen last is retired', 'order by seen_at desc, id desc', 'order by seen_at, id'],
    [
      'an identifier is taken over from another phone',
      'device.id === given.identifier && !isSame(device)',
      'device.id === "" && !isSame(device)',
    ],
    [
      'an endpoint that nobody has any more stays at the relay',
      '[...before, ...gone].filter((one) => one.endpoint !== endpoint)',
      '[]',
    ],
    [
      'a platform that is not configured is taken',
      'if (!push.platforms.includes(platform))',
      'if (push.platforms.length === 0)',
    ],
    [
      'a phone that leaves the relay for its former user while another registers it stays away',
      '  if (taken) await registerAgain(context, device, device);\n',
      '',
    ],
  ]),
  ...faultsIn('src/model/device-registrations.ts', deviceFaults, [
    [
      'the former owner of a token is pushed to while the relay is asked',
      'hasOthers && (await silenceOthers(context, given, user)).length > 0',
      'false',
    ],
  ]),
  ...faultsIn('src/model/device-changes.ts', races, [
    [
      'a phone that leaves the relay for its former user while another takes its token stays away',
      '  if (taken) await registerAgain(context, device, device);\n',
      '',
    ],
  ]),
  ...faultsIn('src/model/device-phones.ts', devicesTests, [
    ['registering again does not heal', '  enabled: true,\n  takenAt: null,', '  takenAt: null,'],
    [
      'a phone in another zone moves no reminders',
      'union select ${owner} where ${zone} is not',
      'union select ${owner} where ${zone} is',
    ],
  ]),
  ...faultsIn('src/model/device-phones.ts', races, [
    [
      'an endpoint has two owners',
      'endpoint === undefined ? undefined : eq(devices.endpoint, endpoint)',
      'undefined',
    ],
  ]),
  ...faultsIn('src/model/device-phones.ts', races, [
    [
      'a phone that was taken from a user who gave it up is not looked at again',
      'taken ? { pendingToken: token, relayChangeAt: now } : settled',
      'settled',
    ],
  ]),
  ...faultsIn('src/model/devices.ts', events, [
    [
      'an event of the relay brings pushes to a phone that is somebody else’s by now',
      'enabled ? isNull(devices.takenAt) : undefined',
      'undefined',
    ],
  ]),
  ...faultsIn('src/model/device-removals.ts', devicesTests, [
    [
      'a phone that the relay still has is deleted',
      'if (!(await removeEndpoints(context, [noted], actor))) throw relayUnavailable();',
      'await removeEndpoints(context, [noted], actor);',
    ],
    [
      'a phone that was registered while it was deleted stays at the relay',
      'gone.filter(({ endpoint }) => endpoint !== noted.endpoint)',
      '[]',
    ],
  ]),
  ...faultsIn('src/model/device-endpoints.ts', races, [
    [
      'an endpoint that was removed for one user is missed by the next',
      'await Promise.all(hit.map((device) => registerAgain(context, device)));',
      '',
    ],
  ]),
  ...faultsIn('src/model/relay-changes.ts', races, [
    [
      'the sweep disables a phone that was to be registered again',
      '  if (pendingToken === device.token) return registerAgain(context, device);\n',
      '',
    ],
    [
      'a phone that somebody else takes is still registered for its former user',
      'iif(${devices.pendingToken} = ${devices.token}, null, ${devices.relayChangeAt})',
      '${devices.relayChangeAt}',
    ],
  ]),
  ...faultsIn('src/model/devices.ts', devicesTests, [
    [
      'others read a device',
      '.where(and(eq(devices.id, id), eq(devices.userId, actor)));',
      '.where(eq(devices.id, id));',
    ],
    ['a test push goes to a disabled phone', '  if (!device.enabled) throw deviceDisabled();\n', ''],
  ]),
  ...faultsIn('src/model/relay-events.ts', events, [
    ['a phone gets what is for another one', "return 'taken-back';", "return 'kept';"],
    ['an event takes back the token that a phone is being given', ', isNull(devices.relayChangeAt)', ''],
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
