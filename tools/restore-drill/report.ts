import type { DrillResult } from './result.ts';

/** The result for people: a line for each check, and what is wrong below it. */
export function toText({ database, at, passed, broken, checks }: DrillResult): string {
  const lines = checks.flatMap(({ name, passed, text, faults }) => [
    `${passed ? '✓' : '✗'} ${name.padEnd(8)} ${text}`,
    ...faults.map((fault) => `    ${fault}`),
  ]);
  const verdict = passed
    ? 'Passed: the backup can be restored.'
    : broken === null
      ? 'Failed: this backup is not what the server has.'
      : `Failed, as it should: the copy was broken on purpose (${broken}).`;
  const missed = passed && broken !== null ? [`The fault (${broken}) was not found!`] : [];
  return [`Restore drill of ${database}, ${at}`, ...lines, ...missed, verdict].join('\n');
}
