import { readRegistration } from './registration.ts';

/** Takes notifications off the lock screen: those that were answered. */
export async function closeShown(notifications: readonly string[]): Promise<void> {
  if (notifications.length === 0) return;
  try {
    const registration = await readRegistration();
    for (const one of (await registration?.getNotifications?.()) ?? [])
      if (notifications.includes(one.tag)) one.close();
  } catch {
    // A tap on one says that it is answered.
  }
}
