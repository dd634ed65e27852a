import { lookup } from 'node:dns';
import type { Services } from '../../src/services.ts';
import type { ActName } from './crowd-acts.ts';
import type { Finding } from './crowd-judge.ts';
import type { Fault } from './crowd-world.ts';

/** Other functions of the service's webhooks. */
const withCall = (change: (call: Call) => Call): Fault => ({
  services: (services) => ({
    ...services,
    ...(services.webhooks && { webhooks: { ...services.webhooks, call: change(services.webhooks.call) } }),
  }),
});
type Call = NonNullable<Services['webhooks']>['call'];

const answerTo =
  (
    isFaulty: (path: string, init: RequestInit) => boolean,
    answer: () => Response,
  ): NonNullable<Fault['request']> =>
  (request) =>
  (path, init = {}, ...rest) =>
    isFaulty(path, init) ? answer() : request(path, init, ...rest);

/** Several times the bound in all, so that a plain read that is measured on a busy machine does not hide it. */
function compute(ms: number) {
  const before = process.cpuUsage();
  const spent = () => Object.values(process.cpuUsage(before)).reduce((sum, part) => sum + part, 0);
  while (spent() < ms * 1000);
}

/** Each fault, the act that shows it, and the rule. */
export const faults: [string, ActName, Finding['rule'], Fault][] = [
  [
    'a text of any length is looked at',
    'longTexts',
    'answered in turn',
    {
      request: answerTo(
        (_, { body }) => String(body ?? '').length > 50_000,
        () => {
          compute(2_000);
          return new Response();
        },
      ),
    },
  ],
  [
    'reads wait for nobody, and take their time',
    'crowds',
    'answered in turn',
    {
      request: answerTo(
        (path) => /responses|export|cases/.test(path),
        () => {
          compute(25);
          return new Response();
        },
      ),
    },
  ],
  ['a call has no end', 'receivers', 'minutes go on', withCall(() => () => new Promise(() => {}))],
  [
    "names are looked up by the runtime's threads",
    'resolvers',
    'look-ups go on',
    withCall(
      () =>
        ({ url }) =>
          new Promise((settle) => {
            lookup(new URL(url).hostname, () => settle({ status: null, error: 'No connection.' }));
          }),
    ),
  ],
  [
    'members are listed with their names',
    'readers',
    'names',
    {
      request: answerTo(
        (path) => /members/.test(path),
        () => Response.json({ name: 'Dana Quillfeather' }),
      ),
    },
  ],
  [
    'a study is full for everybody',
    'fillers',
    'answers kept',
    (() => {
      let given = 0;
      const isFull = (path: string, { method }: RequestInit) =>
        method === 'POST' && path.endsWith('/response') && ++given > 20;
      return { request: answerTo(isFull, () => new Response('{}', { status: 409 })) };
    })(),
  ],
  [
    'an address may use a code as often as it likes',
    'posters',
    'codes last',
    { request: (request) => (path, init) => request(path, init) },
  ],
];
