import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Request } from './operations.ts';

export interface Slice {
  url: string;
  headers: Record<string, string>;
  /** Of each connection. */
  requests: Request[][];
  seconds: number;
  /** Node's own client is for loads that autocannon cannot do (see `http-load.ts`), and if it is not installed. */
  client: 'autocannon' | 'node';
}

export interface Load {
  requests: number;
  requestsPerSecond: number;
  p99Ms: number;
}

/** Sends requests from a thread of its own. */
export function startLoad() {
  const worker = new Worker(new URL('load-worker.ts', import.meta.url));
  return {
    async run(slice: Slice): Promise<Load> {
      worker.postMessage(slice);
      const [answer] = (await once(worker, 'message')) as [Load | { error: string }];
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    },
    end: () => worker.terminate(),
  };
}
