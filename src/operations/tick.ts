import { attempt } from '../attempt.ts';
import type { Services } from '../services.ts';
import { isReconcileDue } from './maintenance.ts';
import { reconcile } from './reconcile.ts';
import { sweep } from './sweep.ts';

/**
 * What each minute brings: the sweep; and the hourly work in the first minute of an hour that anything ticks in, so that
 * a missed minute puts it off and no more. @param graceMs as of {@link sweep}
 */
export async function tick(services: Services, graceMs?: number): Promise<void> {
  await attempt(services, 'sweep.failed', () => sweep(services, graceMs));
  await attempt(services, 'reconcile.failed', async () => {
    if (await isReconcileDue({ ...services, now: services.now() })) await reconcile(services);
  });
}
