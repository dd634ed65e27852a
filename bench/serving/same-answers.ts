import { type OperationName, operationNames, operations } from './operations.ts';
import type { Pair } from './servers.ts';

/** Asks both for all of it once. @throws when they do not answer with the same bytes */
export async function checkSameAnswers(pair: Pair, headers: Record<string, string>): Promise<void> {
  for (const name of operationNames)
    for (const { path, ...init } of operations[name](0).slice(0, 2)) {
      const [own, floor] = await Promise.all(
        [pair.fieldbell, pair.floor].map(async (url) => {
          const answer = await fetch(`${url}${path}`, { ...init, headers });
          return { status: answer.status, text: await answer.text() };
        }),
      );
      if (own?.status !== floor?.status || own?.text !== floor?.text || !isWhole(name, own?.text))
        throw new Error(`${name}: ${told(own)} of Fieldbell, ${told(floor)} of the floor`);
    }
}

/** So that two that agree in error are not taken for right. */
function isWhole(name: OperationName, text = ''): boolean {
  const least = {
    'lock 100 items': 0,
    'a page of 100': 40_000,
    'one response': 200,
    'a list of 10,000': 4_000_000,
  };
  return text.length >= least[name];
}

const told = (answer?: { status: number; text: string }) =>
  `${answer?.status} and ${answer?.text.length} characters (${answer?.text.slice(0, 600)})`;
