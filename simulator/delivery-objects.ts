import { joinSlices, slicesOf } from '../src/platform/cloudflare/joined-slices.ts';
import type { SliceServices } from '../src/reminders/deliver.ts';
import type { Database, PushService } from '../src/services.ts';
import type { SimulatedDatabase } from './database.ts';
import { noteRecords } from './recorded.ts';
import { betweenVersions, placeOf, type Rollout, renewedAt } from './versions.ts';
import { never, type World } from './world.ts';

export interface DeliveryModel {
  /** 0: each user's object queries the database directly. */
  objects: number;
  /** The owner of a push's connections: the user's object or, in a slower variant, the delivery object. */
  connectionsOf?: 'user' | 'delivery object';
  /** True times at which all delivery objects are reset. */
  resets?: readonly number[];
  rollout?: Rollout | undefined;
}

/** The ways of users' deliveries to the database and the relay. */
export interface Deliveries {
  of(user: string): Pick<SliceServices, 'push' | 'slices'>;
  /** The process died, and the objects with it. */
  crashed(): void;
}

/** Cloudflare's limits: calls that an object takes in a second, and connections of one invocation. */
const callsPerSecond = 1_000;
const maxConnections = 6;

/** The trip from one object to another and back, and the longest wait of a call for its turn. */
const callMs = 5;
const maxQueueMs = 10_000;

/** The delivery objects of Cloudflare between the users' objects and the database, with the limits of the platform. */
export function createDeliveryObjects(
  { objects, connectionsOf = 'user', resets = [], rollout }: DeliveryModel,
  { world, database, push: relay }: { world: World; database: SimulatedDatabase; push: PushService },
): Deliveries {
  const renewals = Array.from({ length: objects }, (_, n) => renewedAt(rollout, n / objects));
  const all = renewals.map((at) => createObject(world, database.db, [...resets, at]));
  const own = new Map<string, PushService>();
  const pushFor = (key: string) => {
    const push = own.get(key) ?? withConnections(world, relay);
    own.set(key, push);
    return push;
  };
  return {
    of(user) {
      const n = Number.parseInt(user.slice(-8), 16) % Math.max(1, objects);
      const push = connectionsOf === 'user' ? withConnections(world, relay) : pushFor(String(n));
      const object = all[n];
      return {
        push,
        ...(object && {
          slices: noteRecords(
            world,
            betweenVersions(
              slicesOf(user, () => object),
              {
                isUserNext: () => world.at() >= renewedAt(rollout, placeOf(user)),
                isObjectNext: () => world.at() >= (renewals[n] ?? 0),
              },
            ),
          ),
        }),
      };
    },
    crashed() {
      for (const { reset } of all) reset();
    },
  };
}

type Joined = ReturnType<typeof joinSlices>;

function createObject(world: World, db: Database, resets: readonly number[]) {
  let busyUntil = 0;
  let current = startObject(world, db);
  let pendingResets = [...resets];

  function reset() {
    const before = current;
    current = startObject(world, db);
    before.fail(resetError());
  }

  /** Applies also if time has passed a reset without a call. */
  function resetIfDue() {
    const due = pendingResets.filter((at) => at <= world.at());
    if (due.length === 0) return;
    pendingResets = pendingResets.filter((at) => at > world.at());
    reset();
  }

  async function call<T>(work: (slices: Joined) => Promise<T>): Promise<T> {
    if (world.task()?.dead) return never();
    resetIfDue();
    const queued = Math.max(0, busyUntil - world.at());
    if (queued > maxQueueMs) throw overloaded();
    busyUntil = world.at() + queued + 1000 / callsPerSecond;
    await world.wait(queued + callMs);
    resetIfDue();
    const { slices, broken } = current;
    const result = await world.block(Promise.race([work(slices), broken]));
    resetIfDue();
    return result;
  }
  return {
    reset,
    claim: (user: string) => call((slices) => slices.claim(user)),
    settle: (record: Parameters<Joined['settle']>[0]['record'], users: readonly string[]) =>
      call((slices) => slices.settle({ record, users })),
  };
}

const resetError = () =>
  Object.assign(new Error('Durable Object reset because its code was updated.'), {
    durableObjectReset: true,
  });
const overloaded = () =>
  Object.assign(new Error('Durable Object is overloaded. Requests queued for too long.'), {
    overloaded: true,
  });

/** A reset loses all waiting calls. */
function startObject(world: World, db: Database) {
  let fail: (error: Error) => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  return { slices: joinSlices(withTasks(world, db), world.now), broken, fail };
}

/** A database each of whose batches is a task of its own, since its callers wait for one another. */
const withTasks = (world: World, db: Database): Database =>
  Object.assign(Object.create(db) as Database, {
    batch: (items: Parameters<Database['batch']>[0]) => world.spawn('joined turns', () => db.batch(items)),
  });

/** Pushes of one invocation, six at a time. */
function withConnections(world: World, relay: PushService): PushService {
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
