import { faultsIn } from './mutant.ts';

const bounds = ['test/platform/outgoing-bounds.node.test.ts'];
const calls = ['test/platform/webhook-calls.node.test.ts'];
const names = ['test/platform/resolve-name.node.test.ts'];
const turns = ['test/platform/webhook-turns.node.test.ts'];
const steps = ['test/operations/steps.node.test.ts'];
const urls = ['test/webhooks/addresses.test.ts'];
const asked = ['test/webhooks/call-limit.test.ts'];

/** A call ends, and nobody else waits for it, whatever a receiver, a push service, a provider or a name does. */
export const outgoing = [
  ...faultsIn('src/outgoing.ts', bounds, [
    ['a call waits for work that knows no end', 'withDeadline', 'reject(error);', ''],
    ['a call has no deadline', 'withDeadline', 'if (partsLeft > 0) {', 'if (partsLeft < 99) {'],
    ['a long answer is read whole', 'readText', 'if (left <= 0) break;', ''],
  ]),
  ...faultsIn('src/platform/server/webhook-calls.ts', calls, [
    [
      'a webhook is called without a deadline',
      'answerOf',
      'setTimeout(cut, timeoutMs)',
      'setTimeout(() => {}, timeoutMs)',
    ],
  ]),
  ...faultsIn('src/platform/server/webhook-calls.ts', bounds, [
    ['an endless answer is read until the deadline', 'answerOf', 'if (bytes > maxAnswerBytes) cut();', ''],
    ['interim answers are read until the deadline', 'answerOf', 'if (interim > maxInterim) cut();', ''],
    ['a receiver that switches protocols is no event', 'answerOf', "sent.on('upgrade', ", "sent.on('x', "],
  ]),
  ...faultsIn('src/platform/server/webhook-calls.ts', names, [
    ['a look-up goes on after its call', 'createWebhookCalls', 'ended.abort();', ''],
  ]),
  ...faultsIn('src/platform/server/resolve-name.ts', names, [
    [
      'a look-up is not cancelled',
      'createResolveName',
      "deadline.addEventListener('abort', cancel, { once: true });",
      '',
    ],
    [
      'look-ups wait for the two threads of pushes',
      'createResolveName',
      'resolver.resolve4(host)',
      "(await import('node:dns/promises')).lookup(host).then(({ address }) => [address])",
    ],
  ]),
  ...faultsIn('src/platform/server/webhook-turns.ts', turns, [
    ['an owner takes the turns of others', 'createTurns', 'own(() => all(begin))', 'all(begin)'],
    ['all owners together have no bound', 'createTurns', 'own(() => all(begin))', 'own(begin)'],
  ]),
  ...faultsIn('src/attempt.ts', steps, [
    ['a step of the minute has no bound', 'attemptWithin', 'resolve();', ''],
  ]),
  ...faultsIn('src/operations/tick.ts', steps, [
    [
      'a sweep keeps the next minute waiting',
      'tick',
      "attemptWithin(services, { event: 'sweep.failed', ...bound }, ",
      '((_: unknown, work: () => Promise<unknown>) => work())({ attemptWithin, bound }, ',
    ],
  ]),
  ...faultsIn('src/platform/server/services.ts', steps, [
    [
      'a stop waits for work that knows no end',
      'createServices',
      "{ event: 'stop.failed', withinMs }",
      "{ event: 'stop.failed', withinMs: 3_600_000 }",
    ],
  ]),
  ...faultsIn('src/webhooks/addresses.ts', urls, [
    ['6to4 addresses are open', 'isClosedV6', 'first === 0x2002 ||', ''],
    ['Teredo addresses are open', 'isClosedV6', 'second < 0x200', 'second < 0'],
    ['a password without a user name is taken', 'faultOfUrl', " || url.password !== ''", ''],
    ['private names are taken', 'faultOfUrl', ' && !privateName.test(name)', ''],
    ['a host that is no name is taken', 'faultOfUrl', 'publicName.test(name) && ', ''],
  ]),
  ...faultsIn('src/platform/server/webhook-faults.ts', names, [
    ['a name that leads inside only is taken', 'createFaultOf', 'found.every(isClosedAddress)', 'false'],
  ]),
  ...faultsIn('src/webhooks/delivery.ts', asked, [
    [
      'a replay during a call that is not received is lost',
      'settleFailed',
      'and batch_id = :batch and position = :position',
      'and :batch <> :position',
    ],
    ['webhooks of deleted studies are called', 'deliver', ' && !claimed.deleted', ''],
  ]),
  ...faultsIn('src/webhooks/call-limit.ts', asked, [
    ['a webhook is tested at any rate', 'requireTurn', "not coalesce(${isRecent('asked_at')}, 0)", '1'],
    ['an owner tests many webhooks at once', 'requireTurn', ') < :ofOwner', ') < :ofOwner + 999'],
    [
      'a change of a webhook calls at once, again and again',
      'nextCall',
      'Math.max(now, calledAt + askMs)',
      'now',
    ],
  ]),
  ...faultsIn('src/webhooks/webhooks.ts', asked, [
    [
      'a failing webhook waits for its next attempt',
      'updateWebhook',
      "change.status === 'active' && status === 'active'",
      "change.status === 'paused'",
    ],
  ]),
  ...faultsIn(
    'src/push/web-push/vapid.ts',
    ['test/push/web-push/push.node.test.ts'],
    [['a token of a clock that was ahead is kept', 'createVapid', ' || leftMs > lifetimeMs', '']],
  ),
  ...faultsIn(
    'src/phones/devices.ts',
    ['test/phones/web-push.test.ts'],
    [
      [
        'a test push that is refused is a fault of the service',
        'testDevice',
        "'device.push-refused'",
        "'internal.error'",
      ],
    ],
  ),
];
