import { runDurableObjectAlarm } from 'cloudflare:test';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/people.ts';
import { minutes, setClock } from '../../support/worker/clock.ts';
import { alarmOf, alarmTime } from '../../support/worker/reminders.ts';

/** Moves the clock and lets the user's alarm go off, if one is set. */
export async function ringAt(user: Person, at: number): Promise<void> {
  setClock(at);
  await runDurableObjectAlarm(alarmOf(user));
}

/** Waits until the user's alarm is set for an instant, or seconds later. An earlier one goes off, as it would by itself. */
export const armedFor = (user: Person, at: number) =>
  eventually(`the alarm of ${user.name}`, async () => {
    const alarm = await alarmTime(user);
    if (alarm !== null && alarm < at) await runDurableObjectAlarm(alarmOf(user));
    return alarm !== null && alarm >= at && alarm < at + minutes;
  });
