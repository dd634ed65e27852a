import { Worker } from 'node:worker_threads';

/** The reader, and the service that is asked. */
export interface Target {
  url: string;
  /** Of the readers, who take turns, so that no limit of requests refuses them. */
  tokens: string[];
  pid: number;
}

/** A service as another person saw it meanwhile. */
export interface Seen {
  reads: number;
  /** The longest time (ms) for which a plain read waited. */
  stall: number;
  /** The most CPU (ms) that the event loop spent during one read, whatever else the machine did. */
  stallCpu: number;
}

export interface Probe {
  begin(): void;
  /** Since `begin`, with the read that is under way. */
  tell(): Promise<Seen>;
  end(): Promise<unknown>;
}

/** Reads `/user/me` for another person all the time, from a thread of its own. */
export function startProbe(workerData: Target): Probe {
  const worker = new Worker(new URL('./probe-thread.ts', import.meta.url), { workerData });
  const told: ((seen: Seen) => void)[] = [];
  worker.on('message', (seen: Seen) => told.shift()?.(seen));
  return {
    begin: () => worker.postMessage('begin'),
    tell: () =>
      new Promise((resolve) => {
        told.push(resolve);
        worker.postMessage('tell');
      }),
    end: () => worker.terminate(),
  };
}
