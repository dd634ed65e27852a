import { cpuOf, longestTurn, plainRead } from '../../../support/local-service.ts';
import { type Person, requestOf } from '../../../support/people.ts';
import type { Costly } from './requests.ts';

export interface Measured {
  what: string;
  status: number;
  /** CPU in plain reads: of the request, or of its longest turn. */
  cost: number;
  /** The beginning of the answer. */
  text: string;
}

interface Requested {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** Measures requests to the service in plain reads, `GET /user/me`, of which some come between any two of them. */
export async function createMeasure(app: Requested, reader: Person) {
  const read = () => reader.get('/user/me');
  const reads = [await plainRead(read)];

  /** An answer as it comes, without a look at it. */
  async function ask({ path, call }: Pick<Costly, 'path' | 'call'>) {
    const answer = await app.request(path, requestOf(call));
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of (answer.body ?? []) as unknown as AsyncIterable<Uint8Array>)
      if (text.length < 1000) text += decoder.decode(piece.slice(0, 1000), { stream: true });
    return { status: answer.status, text };
  }

  async function once(request: Costly, n: number) {
    await request.before?.(n);
    await settled();
    reads.push(
      (await cpuOf(async () => void (await Promise.all(Array.from({ length: 10 }, read))))).cpu / 10,
    );
    const { path, call } = request;
    if (!request.inTurns) {
      const { result, cpu } = await cpuOf(() => ask({ path, call }));
      return { ...result, cpu };
    }
    const { result, longest } = await longestTurn(() => ask({ path, call }));
    return { ...result, cpu: longest };
  }

  /** Nothing makes a request look cheaper than it is: up to eight runs, until one is within the bound. */
  return async function measure(request: Costly, bound: number): Promise<Measured> {
    const { status, text, ...first } = await once(request, 0);
    const costs = [first.cpu];
    const cost = () => Math.min(...costs) / median(reads);
    for (let n = 1; n < 8 && cost() >= bound; n++) costs.push((await once(request, n)).cpu);
    return { what: request.what, status, cost: cost(), text };
  };
}

/** Work after an answer has had its turns by then. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
