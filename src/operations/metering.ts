import type { LogEntry, Services } from '../services.ts';
import { addCounts, durationBounds, latenessBounds, type Mark, refusalBy } from './metrics.ts';

const flushEveryMs = 10_000;
/** With only requests to add: they have more names than the others, and each is a row to write. */
const flushRequestsEveryMs = 60_000;

const urgentEvents = new Set([
  'client.closed',
  'request.failed',
  'relay.misconfigured',
  'relay.test',
  'delivery',
  'follow-up',
]);

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Counts log entries in memory, and adds them to the database at most every ten seconds, so that metering costs next to
 * nothing per delivery. An isolate that dies loses the counts that it has not added yet. Requests and receipts are
 * counted only if the metrics can be read.
 */
export function createMeter(services: Pick<Services, 'db' | 'now'>, { requests = false } = {}) {
  let counts = new Map<string, number>();
  let marks = new Map<Mark, number>();
  /** When each push service last accepted a push. */
  let accepted = new Map<string, number>();
  let flushedAt = 0;
  let urgent = false;
  const writing = new Set<Promise<void>>();
  const add = (name: string, value = 1) => counts.set(name, (counts.get(name) ?? 0) + value);

  const measure = (histogram: string, labels: string, bounds: readonly number[], seconds: number) => {
    const bound = bounds.find((upper) => seconds <= upper) ?? '+Inf';
    add(`${histogram}_bucket{${labels && `${labels},`}le="${bound}"}`);
    add(`${histogram}_sum${labels && `{${labels}}`}`, seconds);
  };

  /** Names are bounded: by the routes, and by the classes of status. */
  const countRequest = ({ method, route, status, ms }: LogEntry) => {
    const known = methods.includes(String(method)) ? method : 'other';
    const labels = `method="${known}",route="${route}",status="${String(status)[0]}xx"`;
    measure('fieldbell_request_duration_seconds', labels, durationBounds, Number(ms) / 1000);
  };

  const noteAccepted = ({ services: names }: LogEntry) => {
    for (const name of String(names ?? '').split(' ')) if (name !== '') accepted.set(name, services.now());
  };

  const observe = (entry: LogEntry) => {
    if (entry.event === 'request' && requests) countRequest(entry);
    if (entry.event === 'receipts' && requests)
      add(`fieldbell_receipts_total{event="${entry.kind}"}`, Number(entry.count));
    if (urgentEvents.has(entry.event)) urgent = true;
    if (entry.event === 'client.closed') add('fieldbell_clients_closed_total');
    if (entry.event === 'request.failed') add(`fieldbell_errors_total{code="${entry.code}"}`);
    if (entry.event === 'relay.misconfigured') {
      marks.set(refusalBy(String(entry.service)), services.now());
      add(`fieldbell_relay_refusals_total{service="${entry.service}"}`);
    }
    if (entry.event === 'relay.test') accepted.set(String(entry.service), services.now());
    if (entry.event === 'follow-up') {
      add(`fieldbell_follow_ups_total{kind="${entry.kind}",outcome="${entry.outcome}"}`);
      if (entry.outcome === 'sent') marks.set('delivered', services.now());
      noteAccepted(entry);
    }
    if (entry.event !== 'delivery') return;
    noteAccepted(entry);
    add(`fieldbell_deliveries_total{outcome="${entry.outcome}"}`);
    if (entry.outcome !== 'sent' || typeof entry.lateMs !== 'number') return;
    marks.set('delivered', services.now());
    measure('fieldbell_lateness_seconds', '', latenessBounds, entry.lateMs / 1000);
  };

  /** Call it after work: writes if there is something to add and the time has come; forced, all is written afterwards. */
  const flush = async (force = false) => {
    while (force && writing.size > 0) await Promise.all(writing);
    const now = services.now();
    const waitMs = urgent ? flushEveryMs : flushRequestsEveryMs;
    if (counts.size + marks.size + accepted.size === 0 || (!force && now - flushedAt < waitMs)) return;
    const batch = { counts, marks, accepted };
    counts = new Map();
    marks = new Map();
    accepted = new Map();
    urgent = false;
    flushedAt = now;
    const write = addCounts(services.db, batch)
      .catch(() => {
        for (const [name, value] of batch.counts) add(name, value);
        marks = new Map([...batch.marks, ...marks]);
        accepted = new Map([...batch.accepted, ...accepted]);
        urgent = true;
      })
      .finally(() => writing.delete(write));
    writing.add(write);
    await write;
  };
  return { observe, flush };
}

export type Meter = ReturnType<typeof createMeter>;
