import { attemptWithin } from '../attempt.ts';
import type { Services } from '../services.ts';
import { isReconcileDue } from './maintenance.ts';
import { reconcile } from './reconcile.ts';
import { stepMs, sweep } from './sweep.ts';

/**
 * The work of each minute: the sweep; and the hourly work in the first tick of an hour, so that a missed minute only
 * delays it. Neither keeps the next tick waiting for longer than two steps. @param graceMs as of {@link sweep}
 */
export async function tick(services: Services, graceMs?: number, withinMs = stepMs): Promise<void> {
  const bound = { withinMs: 2 * withinMs };
  await attemptWithin(services, { event: 'sweep.failed', ...bound }, () =>
    sweep(services, graceMs, withinMs),
  );
  await attemptWithin(services, { event: 'reconcile.failed', ...bound }, async () => {
    if (await isReconcileDue({ ...services, now: services.now() })) await reconcile(services);
  });
}
