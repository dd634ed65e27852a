import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { noteWoken, wakeSelected } from '../reminders/wake.ts';
import { devices } from './schema.ts';
import { type Phone, setEnabled } from './statements.ts';
import { usersOfSwitched } from './zone-schema.ts';

/** Notes that the relay reaches the phone, or does not reach it any more. */
export async function noteReach(context: Context, phone: Phone, enabled: boolean): Promise<void> {
  const [moved] = await context.db.batch([
    ...wakeSelected(context, usersOfSwitched(eq(devices.id, phone.id))),
    setEnabled(context, phone, enabled),
  ]);
  noteWoken(context, moved);
}
