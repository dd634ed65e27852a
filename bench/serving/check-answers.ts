import { type OperationName, operationNames, requestsOf } from './operations.ts';
import type { Pair } from './servers.ts';

/** Sends each operation to both. @throws when the answers are not the same bytes */
export async function checkSameAnswers(pair: Pair, headers: Record<string, string>): Promise<void> {
  for (const name of operationNames)
    for (const { path, ...init } of requestsOf(name)[0]?.slice(0, 2) ?? []) {
      const [own, floor] = await Promise.all(
        [pair.fieldbell, pair.floor].map(async ({ url }) => {
          const answer = await fetch(`${url}${path}`, { ...init, headers });
          return { status: answer.status, text: await answer.text() };
        }),
      );
      if (own?.status !== floor?.status || own?.text !== floor?.text || !isComplete(name, own?.text))
        throw new Error(`${name}: ${describe(own)} of Fieldbell, ${describe(floor)} of the floor`);
    }
}

/** Two servers may also agree on an error. */
function isComplete(name: OperationName, text = ''): boolean {
  const minLength = {
    'lock 100 items': 0,
    'a page of 100': 40_000,
    'one response': 200,
    'a list of 10,000': 4_000_000,
  };
  return text.length >= minLength[name];
}

const describe = (answer?: { status: number; text: string }) =>
  `${answer?.status} and ${answer?.text.length} characters (${answer?.text.slice(0, 600)})`;
