import type { Outcome, PushService } from '../src/services.ts';
import type { Faults } from './faults.ts';
import { never, type Task, type World } from './world.ts';

/** A push that the relay accepted. */
export interface Accepted {
  /** True time, epoch ms. */
  at: number;
  /** The server's clock at that moment. */
  now: number;
  token: string;
  endpoint: string;
  messageId: string;
  collapseId: string;
  title: string;
  survey: string;
  ttlSeconds: number;
  /** The run that sent it, and when it began. */
  task: Task | undefined;
  runSince: number;
  /** The same by the server's clock. */
  runNow: number;
  /** False: the sender was told that it failed, or died before it was told. */
  told: boolean;
}

export interface SimulatedRelay extends PushService {
  accepted: Accepted[];
  refused: number;
  /** By collapse id: when a push of it was tried first, by the server's clock. */
  tried: ReadonlyMap<string, number>;
  /** The tokens of apps that were removed at some time. */
  uninstalled: ReadonlySet<string>;
  /** Calls it with each push from now on. */
  listen(listener: (push: Accepted) => void): void;
  /** Gives a token its endpoint, in no time. */
  add(platform: string, token: string): string;
  /** The app was removed: pushes to the token fail from now on. */
  uninstall(token: string): void;
}

export interface RelayModel {
  /** More pushes per second are throttled. Absent: no limit. */
  perSecond?: number;
  latencyMs?: number;
  /** While true, nothing takes time. */
  instant?: () => boolean;
}

/** The service's own limit for a publish. */
const timeoutMs = 5_000;

/** Plays SNS and the phones behind it. */
export function createRelay(
  world: World,
  faults: Faults,
  crash: (point: 'before-publish' | 'after-publish') => boolean,
  draw: (what: string) => number,
  { perSecond, latencyMs = 0, instant = () => false }: RelayModel = {},
): SimulatedRelay {
  const endpoints = new Map<string, { token: string; enabled: boolean }>();
  const byToken = new Map<string, string>();
  const accepted: Accepted[] = [];
  const tried = new Map<string, number>();
  const uninstalled = new Set<string>();
  const listeners: ((push: Accepted) => void)[] = [];
  let [second, inSecond] = [0, 0];
  let messages = 0;

  /** The fault of the relay as a whole, after the time that it takes to find out. */
  async function trouble(): Promise<Outcome | 'lost-answer' | undefined> {
    const fault = faults.active('relay');
    const latency = fault?.is === 'slow' ? fault.ms : instant() ? 0 : latencyMs;
    if (latency > 0) await world.wait(Math.min(latency, timeoutMs));
    if (latency >= timeoutMs)
      return draw('lost answer') < 0.5 ? 'lost-answer' : { state: 'retry', error: 'timeout' };
    if (fault?.is === 'down') return { state: 'retry', error: 'network' };
    if (fault?.is === 'throttled') return { state: 'retry', error: 'Throttled' };
    if (fault?.is === 'misconfigured') return { state: 'misconfigured', error: 'AuthorizationError' };
    if (perSecond === undefined) return undefined;
    if (Math.floor(world.at() / 1000) !== second) [second, inSecond] = [Math.floor(world.at() / 1000), 0];
    return ++inSecond > perSecond ? { state: 'retry', error: 'Throttled' } : undefined;
  }

  const relay: SimulatedRelay = {
    platforms: ['android', 'ios'],
    fits: () => true,
    accepted,
    refused: 0,
    tried,
    uninstalled,
    async register({ platform, token }) {
      if (world.task()?.dead) return never();
      const found = await trouble();
      if (found) return { state: 'unavailable', error: 'network' };
      return { state: 'registered', endpoint: relay.add(platform, token) };
    },
    async remove(endpoint) {
      if (world.task()?.dead) return never();
      const found = await trouble();
      if (found) return { state: 'unavailable', error: 'network' };
      const token = endpoints.get(endpoint)?.token;
      endpoints.delete(endpoint);
      if (token !== undefined) byToken.delete(token);
      return { state: 'removed' };
    },
    async send(message): Promise<Outcome> {
      const task = world.task();
      if (task?.dead || crash('before-publish')) return never();
      if (!tried.has(message.collapseId)) tried.set(message.collapseId, world.now());
      const found = await trouble();
      if (found && found !== 'lost-answer') {
        relay.refused++;
        return found;
      }
      const known = endpoints.get(message.endpoint);
      if (!known?.enabled) return { state: 'gone', error: known ? 'EndpointDisabled' : 'NotFound' };
      const one: Accepted = {
        at: world.at(),
        now: world.now(),
        token: known.token,
        endpoint: message.endpoint,
        messageId: `message-${++messages}`,
        collapseId: message.collapseId,
        title: message.title,
        survey: message.data.survey ?? '',
        ttlSeconds: message.ttlSeconds,
        task,
        runSince: task?.startedAt ?? world.at(),
        runNow: task?.startedNow ?? world.now(),
        told: false,
      };
      accepted.push(one);
      for (const listener of listeners) listener(one);
      if (crash('after-publish')) return never();
      if (found === 'lost-answer') return { state: 'retry', error: 'timeout' };
      one.told = true;
      return { state: 'sent', messageId: one.messageId };
    },
    async check({ endpoint, token }) {
      const known = endpoints.get(endpoint);
      if (!known) return { state: 'missing' };
      if (known.token !== token) return { state: 'other' };
      return { state: known.enabled ? 'reachable' : 'disabled' };
    },
    listen: (listener) => void listeners.push(listener),
    receive: async () => ({ state: 'off' }),
    add(platform, token) {
      const endpoint = byToken.get(token) ?? `arn:sim:${platform}:${token}`;
      byToken.set(token, endpoint);
      endpoints.set(endpoint, { token, enabled: true });
      return endpoint;
    },
    uninstall(token) {
      uninstalled.add(token);
      const endpoint = byToken.get(token);
      if (endpoint !== undefined) endpoints.set(endpoint, { token, enabled: false });
    },
  };
  return relay;
}
