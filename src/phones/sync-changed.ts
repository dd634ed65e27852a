import { attempt } from '../attempt.ts';
import { startReplans } from '../reminders/start-replans.ts';
import type { ReplanJob, Services } from '../services.ts';
import type { Phone } from './statements.ts';
import { syncPhone } from './sync.ts';

/** In parallel, so that a slow relay delays the sweep only once. A phone that fails waits for the next sweep. */
export async function syncPhones(services: Services, phones: readonly Phone[]): Promise<void> {
  await Promise.all(
    phones.map((phone) =>
      attempt(services, 'sweep.device-failed', async () => {
        const outbox: ReplanJob[] = [];
        await syncPhone({ ...services, now: services.now(), outbox }, phone);
        await startReplans(services, outbox);
      }),
    ),
  );
}
