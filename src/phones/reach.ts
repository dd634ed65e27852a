import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { replanSelected } from '../reminders/outbox.ts';
import { devices } from './schema.ts';
import { type Phone, setEnabled } from './statements.ts';
import { usersOfSwitched } from './zone-schema.ts';

/** Notes that the relay reaches the phone, or does not reach it any more. */
export async function noteReach(context: Context, phone: Phone, enabled: boolean): Promise<void> {
  const [, jobs] = await context.db.batch([
    ...replanSelected(context, usersOfSwitched(eq(devices.id, phone.id))),
    setEnabled(context, phone, enabled),
  ]);
  context.outbox.push(...jobs);
}
