import { inject } from 'vitest';
import type { Exchange } from '../../contract/checker.ts';
import { type Answer, readAnswer } from '../people.ts';

const url = inject('contract');
/** Tests put their own in its place. */
const realFetch = globalThis.fetch;

/** The deviations of each answer from the OpenAPI document. */
export async function violations(exchanges: Exchange[]): Promise<string[][]> {
  const answer = await realFetch(url, { method: 'POST', body: JSON.stringify(exchanges) });
  return answer.json();
}

/** An answer, as the checker takes it. */
export const exchange = (method: string, path: string, response: Response, body: string): Exchange => ({
  method,
  path: new URL(path, 'https://fieldbell.localhost').pathname,
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body,
});

let waiting: Exchange[] = [];
let size = 0;
/** So much is checked at once: to ask for each answer by itself took a third of the time of many tests. */
const most = { answers: 200, size: 1_000_000 };

/** Fails when one of the answers since the last time is not in the document. */
export async function checkAnswers(): Promise<void> {
  if (waiting.length === 0) return;
  const batch = waiting;
  [waiting, size] = [[], 0];
  const found = await violations(batch);
  const wrong = batch.flatMap(({ body }, n) => (found[n]?.length ? [...found[n], body.slice(0, 1000)] : []));
  if (wrong.length > 0) throw new Error(`The document says otherwise.\n${wrong.join('\n')}`);
}

/** Reads an answer. The test fails, by its end, when it is not in the document. */
export async function readChecked(method: string, path: string, response: Response): Promise<Answer> {
  const answer = await readAnswer(response);
  waiting.push(exchange(method, path, response, answer.text));
  size += answer.text.length;
  if (waiting.length >= most.answers || size >= most.size) await checkAnswers();
  return answer;
}
