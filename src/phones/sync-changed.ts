import { attempt } from '../attempt.ts';
import { startReplans } from '../reminders/start-replans.ts';
import type { ReplanJob, Services } from '../services.ts';
import type { Phone } from './statements.ts';
import { syncPhone } from './sync.ts';

/** All at once, so that a relay that is slow holds up the sweep only once. A phone that fails waits for the next one. */
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
