import { attempt } from '../attempt.ts';
import type { Services } from '../services.ts';
import { isReconcileDue } from './maintenance.ts';
import { reconcile } from './reconcile.ts';
import { sweep } from './sweep.ts';

/**
 * The work of each minute: the sweep; and the hourly work in the first tick of an hour, so that a missed minute only
 * delays it. @param graceMs as of {@link sweep}
 */
export async function tick(services: Services, graceMs?: number): Promise<void> {
  await attempt(services, 'sweep.failed', () => sweep(services, graceMs));
  await attempt(services, 'reconcile.failed', async () => {
    if (await isReconcileDue({ ...services, now: services.now() })) await reconcile(services);
  });
}
