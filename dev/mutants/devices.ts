import { faultsIn } from './mutant.ts';

const devicesTests = [
  'test/routes/devices.test.ts',
  'test/routes/devices-races.test.ts',
  'test/routes/outbox.test.ts',
];
const events = ['test/routes/relay-events.test.ts'];

export const devices = [
  ...faultsIn('src/model/devices.ts', devicesTests, [
    ['an eleventh phone stays', 'const maxDevices = 10;', 'const maxDevices = 11;'],
    ['the phone that was seen last is retired', 'desc, seen_at desc, id desc', 'desc, seen_at, id'],
    [
      'others read a device',
      '.where(and(eq(devices.id, id), eq(devices.userId, actor)));',
      '.where(eq(devices.id, id));',
    ],
    [
      'registering again does not heal',
      'enabled: true, updatedAt: now, seenAt: now, ...',
      'updatedAt: now, seenAt: now, ...',
    ],
    [
      'an identifier is taken over from another phone',
      'device.id === given.identifier && !isSame(device)',
      'device.id === "" && !isSame(device)',
    ],
    [
      'a phone in another zone moves no reminders',
      'union select ${owner} where ${zone} is not',
      'union select ${owner} where ${zone} is',
    ],
    [
      'a phone that the relay still has is deleted',
      "doing: 'remove', error: removal.error });\n    throw relayUnavailable();",
      "doing: 'remove', error: removal.error });",
    ],
    [
      'an endpoint that nobody has any more stays at the relay',
      '  await removeEndpoints(context, [...before, ...retired], endpoint);\n',
      '',
    ],
    ['a test push goes to a disabled phone', '  if (!device.enabled) throw deviceDisabled();\n', ''],
    [
      'a platform that is not configured is taken',
      'if (!push.platforms.includes(platform))',
      'if (push.platforms.length === 0)',
    ],
  ]),
  ...faultsIn(
    'src/model/devices.ts',
    ['test/routes/devices-races.test.ts'],
    [
      [
        'an endpoint has two owners',
        'endpoint === undefined ? undefined : eq(devices.endpoint, endpoint)',
        'undefined',
      ],
    ],
  ),
  ...faultsIn(
    'src/model/devices.ts',
    ['test/routes/devices-faults.slow.test.ts'],
    [
      [
        'the former owner of a token is pushed to while the relay is asked',
        '  if (known.some((device) => device.userId !== user)) await silenceOthers(context, given, user);\n',
        '',
      ],
    ],
  ),
  ...faultsIn('src/model/relay-events.ts', events, [
    [
      'an old event disables a phone that was registered since',
      'device.seenAt <= event.at ? false : null',
      'false',
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
