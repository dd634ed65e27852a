import { readRegistration } from './page-worker.ts';

/** Whether this phone can show reminders, and if not, what has to be done. */
export type Permission = 'granted' | 'ask' | 'denied' | 'install' | 'unsupported';

const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  // An iPad says that it is a Mac.
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true;

/** iOS gives pages notifications only on the home screen. */
export const mustInstall = (): boolean => isApple() && !isInstalled();

export function readPermission(): Permission {
  if (mustInstall()) return 'install';
  if (!('serviceWorker' in navigator) || !('PushManager' in self) || !('Notification' in self))
    return 'unsupported';
  return Notification.permission === 'default' ? 'ask' : Notification.permission;
}

/** Asks the person. Browsers want a press of a button before. */
export async function askPermission(): Promise<Permission> {
  await Notification.requestPermission();
  return readPermission();
}

/** A private window may have the interface, but no worker. */
export async function registrationOrThrow(): Promise<ServiceWorkerRegistration> {
  const registration = await readRegistration();
  if (!registration) throw new Error('there is no service worker');
  return registration;
}
