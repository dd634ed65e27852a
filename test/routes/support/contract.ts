import { inject } from 'vitest';
import type { Exchange } from '../../contract/checker.ts';
import { type Answer, readAnswer } from '../../support/people.ts';

const url = inject('contract');
/** Tests put their own in its place. */
const realFetch = globalThis.fetch;

/** What is wrong with each of the answers by the OpenAPI document. */
export async function violations(exchanges: Exchange[]): Promise<string[][]> {
  const answer = await realFetch(url, { method: 'POST', body: JSON.stringify(exchanges) });
  return answer.json();
}

/** An answer, as the checker takes it. */
export const exchange = (method: string, path: string, response: Response, body: string): Exchange => ({
  method,
  path: new URL(path, 'https://fieldbell.test').pathname,
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body,
});

interface Waiting {
  exchange: Exchange;
  settle: { resolve: (found: string[]) => void; reject: (error: unknown) => void };
}
let waiting: Waiting[] = [];

/** Answers that come at the same time are checked together. */
async function checkSoon(one: Exchange): Promise<string[]> {
  const { promise, ...settle } = Promise.withResolvers<string[]>();
  waiting.push({ exchange: one, settle });
  if (waiting.length === 1) {
    await scheduler.wait(0);
    const batch = waiting;
    waiting = [];
    try {
      const found = await violations(batch.map(({ exchange }) => exchange));
      for (const [n, { settle }] of batch.entries()) settle.resolve(found[n] ?? []);
    } catch (error) {
      for (const { settle } of batch) settle.reject(error);
    }
  }
  return promise;
}

/** Reads an answer, and fails the test when it is not in the document. */
export async function readChecked(method: string, path: string, response: Response): Promise<Answer> {
  const answer = await readAnswer(response);
  const found = await checkSoon(exchange(method, path, response, answer.text));
  if (found.length > 0)
    throw new Error(`The document says otherwise.\n${found.join('\n')}\n${answer.text.slice(0, 1000)}`);
  return answer;
}
