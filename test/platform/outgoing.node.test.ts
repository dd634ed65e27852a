import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Oddity, oddityNames } from '../support/odd-receiver.ts';
import { allOutcomes } from './support/outgoing-calls.ts';

/** For a whole call. Long enough for the machine to notice what a receiver does, at its busiest. */
const timeoutMs = 3_000;

/** The status that a receiver gave; the others give none that counts. */
const statuses: Partial<Record<Oddity, string>> = {
  switches: '101',
  'resets-after-headers': '200',
  endless: '200',
  'endless-refusal': '500',
  'drips-body': '200',
  'owes-body': '200',
  bombs: '200',
  redirects: '307',
};
const is2xx = (oddity: Oddity) => statuses[oddity] === '200';

/** The outcomes that are right; runtimes differ in what they take for an answer. */
const right: Record<string, (oddity: Oddity) => readonly string[]> = {
  webhook: (oddity) => [statuses[oddity] ?? 'null'],
  'webhook by TLS': () => ['null'],
  'webhook of a name': () => ['null'],
  'push by SNS': (oddity) =>
    oddity === 'switches' || oddity === 'redirects' ? ['retry', 'misconfigured'] : ['retry'],
  'registration with SNS': () => ['unavailable'],
  'push by SNS from Cloudflare': (oddity) =>
    oddity === 'switches' || oddity === 'redirects' ? ['retry', 'misconfigured'] : ['retry'],
  'certificate of SNS': (oddity) =>
    ['switches', 'redirects', 'endless', 'bombs'].includes(oddity) ? ['unknown', 'forged'] : ['unknown'],
  // The status alone counts.
  'subscription to a topic': (oddity) => [is2xx(oddity) ? 'nothing' : 'unavailable'],
  'push to a browser': (oddity) =>
    is2xx(oddity)
      ? ['sent']
      : oddity === 'redirects'
        ? ['failed']
        : oddity === 'switches'
          ? ['retry', 'failed']
          : ['retry'],
  'keys of the provider': () => ['auth.keys-unavailable'],
  'time of a push service': () => ['undefined'],
};

async function inDeno(): Promise<Awaited<ReturnType<typeof allOutcomes>>> {
  const bin = join(import.meta.dirname, '../../node_modules/.bin/deno');
  const main = join(import.meta.dirname, 'support/outgoing-main.ts');
  const { stdout } = await promisify(execFile)(bin, ['run', '-A', main, String(timeoutMs)], {
    maxBuffer: 1024 * 1024,
  });
  return JSON.parse(stdout);
}

describe.each([
  ['Node', () => allOutcomes(timeoutMs)],
  ['Deno', inDeno],
])('on %s', (_, outcomes) => {
  test('each outgoing call ends, whatever the other side does, and its outcome is right', async () => {
    const found = await outcomes();
    expect(Object.keys(found)).toEqual(oddityNames);
    for (const oddity of oddityNames) {
      expect(Object.keys(found[oddity])).toEqual(Object.keys(right));
      for (const [call, isRight] of Object.entries(right))
        expect(isRight(oddity), `${call}, whose other side ${oddity}`).toContain(found[oddity][call]);
    }
  });
});
