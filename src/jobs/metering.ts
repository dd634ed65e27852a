import { addCounts, latenessBounds, type Mark } from '../model/metrics.ts';
import type { LogEntry, Services } from '../services.ts';

const flushEveryMs = 10_000;

/**
 * Counts what the log says in memory, and adds it to the database at most each ten seconds, so that metering
 * costs next to nothing per delivery. What an isolate that dies has not added yet is lost from the counts.
 */
export function createMeter(services: Pick<Services, 'db' | 'now'>) {
  let counts = new Map<string, number>();
  let marks = new Map<Mark, number>();
  let flushedAt = 0;
  const add = (name: string, value = 1) => counts.set(name, (counts.get(name) ?? 0) + value);

  const observe = (entry: LogEntry) => {
    if (entry.event === 'client.closed') add('fieldbell_clients_closed_total');
    if (entry.event === 'relay.misconfigured') marks.set('relay-refused', services.now());
    if (entry.event !== 'delivery') return;
    add(`fieldbell_deliveries_total{outcome="${entry.outcome}"}`);
    if (entry.outcome !== 'sent' || typeof entry.lateMs !== 'number') return;
    marks.set('delivered', services.now());
    const seconds = entry.lateMs / 1000;
    const bound = latenessBounds.find((upper) => seconds <= upper) ?? '+Inf';
    add(`fieldbell_lateness_seconds_bucket{le="${bound}"}`);
    add('fieldbell_lateness_seconds_sum', seconds);
  };

  /** Call it after work: it writes when there is something to add and the time has come. */
  const flush = async (force = false) => {
    const now = services.now();
    if (counts.size === 0 || (!force && now - flushedAt < flushEveryMs)) return;
    const taken = { counts, marks };
    counts = new Map();
    marks = new Map();
    flushedAt = now;
    await addCounts(services.db, taken.counts, taken.marks).catch(() => {
      for (const [name, value] of taken.counts) add(name, value);
      marks = new Map([...taken.marks, ...marks]);
    });
  };
  return { observe, flush };
}

export type Meter = ReturnType<typeof createMeter>;
