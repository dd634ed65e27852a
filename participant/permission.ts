import { serviceWorkers } from './registration.ts';

/** Whether this phone can show reminders, and if not, what has to be done. */
export type Permission = 'granted' | 'ask' | 'denied' | 'install' | 'unsupported';

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  // An iPad says that it is a Mac.
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

const isInstalled = () =>
  globalThis.matchMedia?.('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;

/** iOS gives pages notifications only on the home screen. */
export const mustInstall = (): boolean => isApple() && !isInstalled();

export function readPermission(): Permission {
  if (mustInstall()) return 'install';
  if (!serviceWorkers() || !self.PushManager || !self.Notification) return 'unsupported';
  return Notification.permission === 'default' ? 'ask' : Notification.permission;
}

/** Asks the person. Browsers want a press of a button before. */
export async function askPermission(): Promise<Permission> {
  // An older Safari calls back.
  await new Promise((resolve, reject) => {
    Notification.requestPermission(resolve)?.then(resolve, reject);
  });
  return readPermission();
}
