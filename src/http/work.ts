import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';
import type { Env, Work } from './context.ts';

/** Requests of one person that are under way at once, and those that may wait for a place, and how long. */
const placesOfCaller = 4;
const maxWaiting = 60;
const maxWaitMs = 10_000;

/** A request that has done nothing for so long gives way to another one of the same person. */
const stalledMs = 60_000;

/** Computing that a request's own token pays for, and each further token. A hundredth of a second. */
export const msOfToken = 10;

/** The machine's time, also under a simulated clock. */
const later = setTimeout.bind(globalThis);

/** The requests of a person in this process. */
interface Caller {
  places: Set<Place>;
  waiting: Set<() => void>;
}

interface Place {
  isLong: boolean;
  /** Epoch ms. */
  readAt: number;
  /** Only of streams. */
  stop?: () => void;
  end: () => void;
}

/**
 * Bounds the work of each caller: requests under way, of which one is long, and computing time, which is taken from the
 * same bucket as requests are. A fifth request waits for a place, as browsers send six at once. @throws rate.limited
 */
export function limitWork() {
  const callers = new Map<string, Caller>();
  return createMiddleware<Env>(async (c, next) => {
    const services = c.get('services');
    if (!services.rateLimits?.charge) return next();
    const { issuer, subject } = c.get('identity');
    const work = await begin(callers, `${issuer} ${subject}`, services);
    c.set('work', work);
    c.set('services', { ...services, db: services.db.measured(work.spend) });
    try {
      await next();
    } finally {
      if (!isStreaming(c)) work.end();
    }
  });
}

/** Hono drops the body of an answer to HEAD. */
const isStreaming = (c: Context<Env>) =>
  c.get('streamed') === true && c.req.method !== 'HEAD' && c.res.body !== null;

type Limiting = Pick<Env['Variables']['services'], 'rateLimits' | 'now'>;

async function begin(
  callers: Map<string, Caller>,
  key: string,
  { rateLimits, now }: Limiting,
): Promise<Work> {
  const caller = callers.get(key) ?? { places: new Set(), waiting: new Set() };
  callers.set(key, caller);
  const place: Place = { isLong: false, readAt: now(), end };
  await takePlace(caller, place, now());
  let unpaidMs = -msOfToken;
  function end() {
    if (!caller.places.delete(place)) return;
    const [wake] = caller.waiting;
    if (wake) wake();
    else if (caller.places.size === 0) callers.delete(key);
  }
  return {
    spend(ms) {
      unpaidMs += ms;
      const tokens = Math.floor(unpaidMs / msOfToken);
      if (tokens <= 0) return;
      unpaidMs -= tokens * msOfToken;
      rateLimits?.charge?.(key, tokens);
    },
    beLong() {
      const hasOther = () => [...caller.places].some((other) => other !== place && other.isLong);
      if (hasOther()) endStalled(caller, now());
      if (hasOther())
        throw tooMuch('Expected one export or long list at a time: wait until the other one has ended.');
      place.isLong = true;
    },
    beStream(stop) {
      place.stop = stop;
    },
    goOn() {
      place.readAt = now();
    },
    end,
  };
}

/** Waits, if need be, until another of the caller's requests has ended. @throws rate.limited */
async function takePlace(caller: Caller, place: Place, now: number): Promise<void> {
  const { places, waiting } = caller;
  if (places.size >= placesOfCaller) endStalled(caller, now);
  if (places.size < placesOfCaller) return void places.add(place);
  const refusal = tooMuch(`Expected at most ${placesOfCaller} requests at a time.`);
  if (waiting.size >= maxWaiting) throw refusal;
  // Another request wakes this one, also on Cloudflare: its flag `handle_cross_request_promise_resolution`.
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const wake = () => {
    waiting.delete(wake);
    places.add(place);
    resolve();
  };
  waiting.add(wake);
  const timer = later(() => {
    waiting.delete(wake);
    reject(refusal);
  }, maxWaitMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends places that nobody has used for long: of a client that reads nothing, or a request that the runtime has ended. */
function endStalled({ places }: Caller, now: number) {
  for (const { stop, readAt, end } of [...places]) {
    if (now - readAt < stalledMs) continue;
    end();
    if (stop) attemptStop(stop);
  }
}

/** The stream of another request may be out of reach by now. */
function attemptStop(stop: () => void) {
  try {
    stop();
  } catch {
    // Its client is gone, too.
  }
}

const tooMuch = (detail: string) => new Problem('rate.limited', detail, { retryAfterSeconds: 2 });
