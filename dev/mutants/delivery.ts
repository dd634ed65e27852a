import { faultsIn } from './mutant.ts';

const serial = 'test/routes/deliveries-serial.test.ts';
const deliveries = [
  'test/routes/deliveries.test.ts',
  'test/routes/deliveries-decisions.test.ts',
  'test/routes/deliveries-mishaps.test.ts',
];
const retries = 'test/routes/deliveries-retries.test.ts';
const portions = 'test/routes/deliveries-portions.slow.test.ts';
const followUps = ['test/node/schedule/follow-ups.test.ts', 'test/routes/nudges.test.ts'];
const decisions = ['test/node/schedule/decide.test.ts', 'test/node/schedule/decide-all.test.ts'];

export const delivery = [
  ...faultsIn(
    'src/platform/cloudflare/user-deliveries.ts',
    [serial, ...deliveries],
    [
      [
        'deliveries of one user overlap',
        'this.#last.then(() => this.#deliverAndArm(user))',
        'this.#deliverAndArm(user)',
      ],
      ['what comes next is not armed', '    if (next !== null) await this.arm(user, next);\n', ''],
      [
        'an alarm that failed does not ring again',
        '      await this.#platform.setAlarm(now() + backoffMs(this.#faults, alarmBackoff), user);\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/platform/cloudflare/delivery-object.ts',
    ['test/routes/delivery-objects.test.ts'],
    [
      [
        'deliveries of many users are a batch each',
        'return this.#join(statements);',
        'return this.#run(statements);',
      ],
    ],
  ),
  ...faultsIn(
    'src/platform/cloudflare/delivery-batches.ts',
    ['test/node/platform/delivery-batches.test.ts'],
    [
      [
        'records of pushes wait behind deliveries that begin',
        'statements.every(isRead) ? reads',
        'statements.length > 0 ? reads',
      ],
      ['any number of deliveries waits in a delivery object', ', maxWaiting: maxWaitingReads', ''],
    ],
  ),
  ...faultsIn(
    'src/platform/cloudflare/delivery-database.ts',
    ['test/routes/delivery-objects.test.ts'],
    [
      ['what waits in a delivery object that is reset is lost', 'maxAttempts: 3', 'maxAttempts: 1'],
      ['all users share one delivery object', '.slice(-8), 16) % objects', '.slice(-8), 16) % 1'],
      ['a batch whose delivery object was lost is not asked again', ' || durableObjectReset === true', ''],
      ['some users have no delivery object', '.slice(-8), 16) % objects', '.slice(-8), 16) % (objects + 1)'],
    ],
  ),
  ...faultsIn(
    'src/platform/cloudflare/turns.ts',
    ['test/node/platform/turns.test.ts'],
    [
      ['all objects of an isolate deliver at once', 'if (taken.size >= concurrency) return;', ''],
      [
        'a turn of an object that was ended is never given on',
        'if (at + lostAfterMs >= now()) break;',
        'break;',
      ],
      ['a delivery that fails keeps its turn', 'min);\n      taken.delete(turn);', 'min);'],
      [
        'deliveries that are slow begin as many more',
        'Math.max(concurrency >> 1, min)',
        'Math.min(concurrency + 1, max)',
      ],
      ['deliveries that are fast begin no more', 'Math.min(concurrency + 1, max)', 'min'],
    ],
  ),
  ...faultsIn(
    'src/db/join-batches.ts',
    ['test/node/db/join-batches.test.ts'],
    [
      [
        'as many batches of deliveries as callers are under way',
        '    bytes += call.bytes;\n    if (running < maxConcurrent) flushOrWait();',
        '    bytes += call.bytes;\n    flushOrWait();',
      ],
      [
        'one caller fails with the others of its batch',
        'calls.length === 1 || isSharedFault(error)',
        'calls.length > 0',
      ],
      ['an overloaded database is asked again caller by caller', '|| isSharedFault(error)', ''],
      ['results go to the wrong callers', 'start += statements.length;', 'start += 1;'],
      [
        'what failed together is not asked again by itself',
        'for (const call of calls) await run([call]);',
        'for (const call of calls.slice(1)) await run([call]);',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/alarm-times.ts',
    [...deliveries, 'test/routes/reminders.test.ts', 'test/routes/reminders-replanning.test.ts'],
    [
      ['a later alarm replaces the earlier', 'current <= wanted', 'current > wanted'],
      ['an alarm that the platform lost is trusted', 'current > now - lostAfterMs', 'current > 0'],
    ],
  ),
  ...faultsIn(
    'src/reminders/plan-changes.ts',
    [serial, ...deliveries],
    [['superseded rows stay pending', 'of superseded.flatMap(', 'of superseded.slice(1).flatMap(']],
  ),
  ...faultsIn(
    'src/worker.ts',
    ['test/routes/queue.test.ts'],
    [
      [
        'a queue message is acknowledged before its work',
        `        await handle(services, message.body);
        message.ack();`,
        `        message.ack();
        await handle(services, message.body);`,
      ],
      [
        'a queue message that failed is dropped',
        'message.retry({ delaySeconds: Math.ceil(backoffMs(message.attempts, queueBackoff) / 1000) })',
        'message.ack()',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/deliver.ts',
    [serial, ...deliveries, portions],
    [
      [
        'a plan that was refused is not made again',
        'refused.length === 0 ? [] :',
        'refused.length >= 0 ? [] :',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/pushed.ts',
    [retries],
    [
      [
        'what is to be tried again is planned past',
        '{ ...changes, schedule: [], retried: [retried] }',
        '{ ...changes, retried: [retried] }',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/deliver.ts',
    [portions],
    [
      ['pages behind the first wait', 'page < maxPages', 'page < 1'],
      [
        'a thousand pushes are made before one is recorded',
        'decided.filter(({ push }) => push).length <= maxPushes',
        'decided.length >= 0',
      ],
      ['the newest due is pushed first', 'dueAt(a) - dueAt(b)', 'dueAt(b) - dueAt(a)'],
    ],
  ),
  ...faultsIn(
    'src/reminders/lifecycle.ts',
    ['test/node/simulator/regressions.slow.test.ts'],
    [
      [
        'an earlier date that a move brings waits for the hourly work',
        '  if (first && occurrenceKey(first) < pending.key) return { state, changes: planChanges(state, now) };\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/limit-pushes.ts',
    [portions],
    [
      [
        'nobody counts the pushes of a day',
        'one.push?.occurrence && !states.has(one.state)',
        'one.push?.occurrence && states.size < 0',
      ],
      ['pushes of earlier revisions do not count', '+ revision * (draw ? maxSlots : 1)', ''],
    ],
  ),
  ...faultsIn(
    'src/schedule/daily-limit.ts',
    [portions],
    [
      ['what was sent that day takes no room', 'sent + granted +', 'granted +'],
      ['the last study is served first', 'a.joinedAt < b.joinedAt ||', 'a.joinedAt > b.joinedAt ||'],
      ['what is still to come keeps no room', 'Math.max(0, reserved) < max', 'Math.min(0, reserved) < max'],
    ],
  ),
  ...faultsIn(
    'src/reminders/push-to-phones.ts',
    [retries],
    [
      ['a phone that has it gets it again', '      .filter((phone) => !reached.has(phone.id))\n', ''],
      [
        'a push that the credentials forbid has failed for good',
        "state === 'retry' || state === 'misconfigured'",
        "state === 'retry'",
      ],
      [
        'a phone that is gone stays enabled',
        "outcome.state === 'gone'",
        "outcome.state === 'sent' && phone.id === ''",
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/push-due.ts',
    [retries],
    [['the time to live is that of a whole day', '(expiresAt - now) / 1000', '86_400']],
  ),
  ...faultsIn(
    'src/reminders/push-due.ts',
    [retries],
    [
      [
        'an attempt waits beyond the expiry',
        'Math.min(now + pushDelayMs(tries), push.expiresAt)',
        'now + 10 * 3600_000',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/pushed.ts',
    ['test/routes/second-phone.test.ts'],
    [
      ['what one phone has waits for the others', '!hasReachedPhone(after)', "outcome === 'retry'"],
      [
        'a phone that the first push has not reached is given up',
        "  const retryAt = outcome === 'retry' ? again : null;",
        '  const retryAt = null;',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/pushed.ts',
    ['test/routes/second-phone.test.ts', 'test/routes/nudges.test.ts'],
    [
      [
        'the tries of a nudge hold up the next',
        'retrying ? Math.min(again, next ?? again) : next',
        'retrying ? again : next',
      ],
      [
        'a phone that has the first push gets it again',
        'if (!send) return { deliveries: deliveriesOf(notification)',
        'if (!send) return { deliveries: []',
      ],
      [
        'the history does not have the later tries of a first push',
        '    pushes: packDeliveries(deliveries, notification.dueAt),\n',
        '',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/follow-ups.ts',
    ['test/routes/second-phone.test.ts'],
    [
      [
        'a nudge that is due waits for the tries of the first push',
        '!isDue(retryAt) || decision?.send',
        '!isDue(retryAt)',
      ],
    ],
  ),
  ...faultsIn(
    'src/schedule/decide.ts',
    ['test/routes/second-phone.test.ts'],
    [
      [
        'an answer keeps the first push from a second phone',
        'followUp ? answers.some',
        'followUp !== undefined ? answers.some',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/statements.ts',
    ['test/routes/deliveries-mishaps.test.ts'],
    [
      [
        'what was settled otherwise during a push stays unsent',
        " or (${isUnsent} and excluded.state = 'sent'))`",
        ')`',
      ],
    ],
  ),
  ...faultsIn(
    'src/reminders/statements.ts',
    [retries],
    [
      [
        'a phone that was registered again during a push is disabled',
        " and ${devices.seenAt} <= g.value ->> 'readAt'`",
        '`',
      ],
    ],
  ),
  ...faultsIn('src/schedule/decide.ts', decisions, [
    ['an occurrence is sent at the instant of its expiry', 'now >= expiresAt', 'now > expiresAt'],
    ['what is due when a pause ends is skipped', 'at < pausedUntil', 'at <= pausedUntil'],
    ['who has answered is reminded', ': answered.has(on)', ': false'],
    [
      'older ones are sent after an outage too',
      "outcome.verdict !== 'skip' && occurrence !== newest",
      'occurrence === newest && newest === null',
    ],
    ['what is stale is sent', "if (push.revision !== state.revision) return 'stale';", ''],
    ['who left is reminded', "  if (!state.member) return 'left-study';\n", ''],
  ]),
  ...faultsIn('src/schedule/decide.ts', followUps, [
    ['who has answered is nudged', 'answers.some((answer) => answer >= dueAt)', 'false'],
    [
      'who has opened it is nudged',
      "    if (isNudge && openedAt && state.followUps?.stop === 'opened') return skip('opened');\n",
      '',
    ],
    ['a nudge waits for quiet hours to end', 'isNudge && (until', 'false && (until'],
    ['a nudge of quiet hours is made up for', ' || quietEnd(at) > at', ''],
    [
      'a snooze rings in quiet hours',
      "if (until > from) return { verdict: 'wait'",
      "if (!followUp && until > from) return { verdict: 'wait'",
    ],
    ['a newer occurrence ends no nudges', 'key < newest || ', ''],
  ]),
  ...faultsIn('src/schedule/follow-ups.ts', followUps, [
    ['all nudges that were missed go out', 'following === null || following.dueAt > now', 'true'],
    ['a nudge follows a final reason', 'passing.includes(reason)', 'true'],
    [
      'a nudge is later than the expiry',
      'dueAt < sent.dueAt + expiresAfter',
      'dueAt < Infinity + expiresAfter',
    ],
    [
      'a snooze makes up for nudges',
      'Math.max(sent.nudges, Math.min(passed, followUps?.max ?? 0))',
      'sent.nudges',
    ],
  ]),
  ...faultsIn(
    'src/schedule/decide.ts',
    ['test/node/simulator/studies.test.ts', 'test/routes/freezes.test.ts'],
    [['a frozen study reminds', "    if (frozen) return skip('study-frozen');\n", '']],
  ),
];
