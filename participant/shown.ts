import { readRegistration } from './registration.ts';

/** Takes notifications off the lock screen: those that were answered. */
export async function closeShown(notifications: readonly string[]): Promise<void> {
  if (notifications.length === 0) return;
  try {
    const registration = await readRegistration();
    for (const shown of (await registration?.getNotifications?.()) ?? [])
      if (notifications.includes(shown.tag)) shown.close();
  } catch {
    // A tap on one says that it is answered.
  }
}
