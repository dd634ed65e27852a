import { type Bound, bind } from '../../src/db/query.ts';
import { joinDeliveries } from '../../src/platform/cloudflare/delivery-batches.ts';
import type { Database, Push } from '../../src/services.ts';
import type { SimulatedDatabase } from './database.ts';
import type { SimulatedRelay } from './push.ts';
import type { Deliveries } from './server.ts';
import { never, type World } from './world.ts';

export interface DeliveryModel {
  /** 0: each user's object queries the database directly. */
  objects: number;
  /** The owner of a push's connections: the user's object or, in a slower variant, the delivery object. */
  connectionsOf?: 'user' | 'delivery object';
  /** True times at which all delivery objects are reset. */
  resets?: readonly number[];
}

/** Cloudflare's limits: calls that an object takes in a second, and connections of one invocation. */
const callsPerSecond = 1_000;
const maxConnections = 6;

/** The trip from one object to another and back, and the longest wait of a call for its turn. */
const callMs = 5;
const maxQueueMs = 10_000;

/** The delivery objects of Cloudflare between the users' objects and the database, with the limits of the platform. */
export function createDeliveryObjects(
  { objects, connectionsOf = 'user', resets = [] }: DeliveryModel,
  { world, database, relay }: { world: World; database: SimulatedDatabase; relay: SimulatedRelay },
): Deliveries {
  const all = Array.from({ length: objects }, () => createObject(world, database.db, resets));
  const own = new Map<string, Push>();
  const pushFor = (key: string) => {
    const push = own.get(key) ?? withConnections(world, relay);
    own.set(key, push);
    return push;
  };
  return (user) => {
    const n = Number.parseInt(user.slice(-8), 16) % Math.max(1, objects);
    const push = connectionsOf === 'user' ? withConnections(world, relay) : pushFor(String(n));
    const object = all[n];
    if (!object) return { push };
    const db = Object.assign(Object.create(database.db) as Database, { batch: object.batch });
    return { push, db };
  };
}

function createObject(world: World, db: Database, resets: readonly number[]) {
  let busyUntil = 0;
  let current = startObject(db);
  let pendingResets = [...resets];

  /** Applies also if time has passed a reset without a call. */
  function resetIfDue() {
    const due = pendingResets.filter((at) => at <= world.at());
    if (due.length === 0) return;
    pendingResets = pendingResets.filter((at) => at > world.at());
    const reset = current;
    current = startObject(db);
    reset.fail(new Error('Durable Object reset because its code was updated.'));
  }

  async function batch(items: Parameters<typeof bind>[0][]) {
    if (world.task()?.dead) return never();
    resetIfDue();
    const queued = Math.max(0, busyUntil - world.at());
    if (queued > maxQueueMs) throw new Error('Durable Object is overloaded. Requests queued for too long.');
    busyUntil = world.at() + queued + 1000 / callsPerSecond;
    await world.wait(queued + callMs);
    resetIfDue();
    const { ask, broken } = current;
    const results = await world.block(Promise.race([ask(items.map(bind)), broken]));
    resetIfDue();
    return results;
  }
  return { batch };
}

/** A reset loses all waiting calls. */
function startObject(db: Database) {
  let fail: (error: Error) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  const run = (statements: readonly Bound[]) => db.batch(statements as never) as Promise<unknown[]>;
  return { ask: joinDeliveries(run), broken, fail };
}

/** Pushes of one invocation, six at a time. */
function withConnections(world: World, relay: Push): Push {
  let open = 0;
  const waiting: (() => void)[] = [];
  return {
    ...relay,
    async send(message) {
      if (open === maxConnections) await world.block(new Promise<void>((resolve) => waiting.push(resolve)));
      else open += 1;
      try {
        return await relay.send(message);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else open -= 1;
      }
    },
  };
}
