import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from './probe.ts';
import { startProbe } from './probe.ts';
import { cpuOfProcess } from './process-time.ts';
import type { Service } from './service.ts';

/** Longer than this nobody waits. */
export const patienceMs = 30_000;

/** The cost of a request, or of many. */
export interface Sent {
  /** 0: cut off, or the connection ended. */
  status: number;
  /** Until the answer was complete (ms). */
  ms: number;
  /** Of the process (ms), without that of the probe's reads. */
  cpu: number;
  /** The longest wait of another person's plain read (ms), and what the event loop computed during one (ms). */
  stall: number;
  stallCpu: number;
}

export interface Sender {
  service(): Service;
  send(path: string, init: RequestInit): Promise<Sent>;
  /** Measures anything that goes on against the service. */
  during<T>(
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Omit<Sent, 'status'> & { result: T | undefined }>;
  end(): Promise<void>;
}

/** Sends to a service that is started anew when it has not answered in time. */
export async function createSender(start: () => Promise<Service>, tokens: string[]): Promise<Sender> {
  let service = await start();
  let probe: Probe = startProbe({ url: service.url, pid: service.pid, tokens });
  let unit = await calibrate();

  /** CPU (ms) of one plain read. */
  async function calibrate() {
    await sleep(1_000);
    probe.begin();
    const before = cpuOfProcess(service.pid);
    await sleep(1_000);
    const { reads } = await probe.tell();
    return (cpuOfProcess(service.pid) - before) / reads;
  }

  async function restart() {
    await probe.end();
    await service.kill();
    service = await start();
    probe = startProbe({ url: service.url, pid: service.pid, tokens });
    unit = await calibrate();
  }

  async function during<T>(work: (signal: AbortSignal) => Promise<T>) {
    await sleep(10);
    probe.begin();
    const cpuBefore = cpuOfProcess(service.pid);
    const began = performance.now();
    const signal = AbortSignal.timeout(patienceMs);
    const result = await work(signal).catch(() => undefined);
    const ms = performance.now() - began;
    if (ms >= patienceMs) {
      const cpu = cpuOfProcess(service.pid) - cpuBefore;
      const seen = await Promise.race([probe.tell(), sleep(300, undefined)]);
      await restart();
      return { result, ms, cpu, stall: seen?.stall ?? ms, stallCpu: seen?.stallCpu ?? cpu };
    }
    const seen = await probe.tell();
    const cpu = cpuOfProcess(service.pid) - cpuBefore - unit * seen.reads;
    return { result, ms, cpu: Math.max(0, cpu), stall: seen.stall, stallCpu: seen.stallCpu };
  }

  return {
    service: () => service,
    during,
    async send(path, init) {
      const { result, ...rest } = await during((signal) =>
        statusOf(`${service.url}${path}`, { ...init, signal }),
      );
      return { status: result ?? 0, ...rest };
    },
    async end() {
      await probe.end();
      await service.kill();
    },
  };
}

/** Reads the answer as it comes, without a look at it. */
export async function statusOf(url: string, init: RequestInit): Promise<number> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const reader = answer.body?.getReader();
  while (reader && !(await reader.read()).done);
  return answer.status;
}
