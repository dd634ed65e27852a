import { env } from 'cloudflare:workers';
import { createServices } from '../../../src/platform/cloudflare/services.ts';
import { FaultPoints, withFaultPoints } from '../../reminders/support/fault-points.ts';
import type { Person } from '../../support/people.ts';
import { newApp } from '../../support/worker/apps.ts';

/** An isolate that dies at a step: before or after any call to the database or the relay. */
export function mortalApp() {
  const points = new FaultPoints();
  const { push } = createServices(env);
  const asked = { relay: false };
  const { send } = newApp({
    db: createServices({ ...env, DB: withFaultPoints(env.DB, points) }).db,
    push: {
      ...push,
      register: (device) =>
        points.around(() => {
          asked.relay = true;
          return push.register(device);
        }),
      remove: (endpoint) => points.around(() => push.remove(endpoint)),
    },
  });
  /** Sends a request that dies at the step; resolves with whether it came that far, and whether it asked the relay. */
  return async (by: Person, method: string, path: string, body: object | undefined, step: number) => {
    points.arm(null);
    await send('/user/me', { token: by.token });
    asked.relay = false;
    points.arm(step);
    await send(path, { method, token: by.token, ...(body && { body }) });
    const died = points.passed > step;
    points.arm(null);
    return { died, asked: asked.relay };
  };
}
