/* Everything that the logic asks of a phone. `expo/system.ts` answers with Expo, a test with lists. */

/** The data of a push, and of the phone's own copy. */
export interface Reminder {
  notification: string;
  survey: string;
  investigation: string;
}

export interface Notice extends Reminder {
  title: string;
  body: string;
}

/** A notice that the phone shows by itself, at an instant in milliseconds. */
export interface Copy extends Notice {
  at: number;
}

export interface NotificationSystem {
  /** Makes Android's channels, and the actions of a reminder. Before the first question for permission. */
  prepare(): Promise<void>;
  /** Asks once; from then on tells what the person has said. */
  permitted(): Promise<boolean>;
  /** The token of APNs or FCM, and the platform's name at the service; null if this phone gets none. */
  pushToken(): Promise<{ platform: string; token: string } | null>;
  /** Copies that are still to be shown. */
  copies(): Promise<Copy[]>;
  /** Shows a copy at its time, under its `notification`: as identifier on iOS, as tag on Android. */
  schedule(copy: Copy): Promise<void>;
  /** Takes back a copy that is still to be shown. */
  cancel(notification: string): Promise<void>;
  /** Takes a notice off the screen. */
  dismiss(notification: string): Promise<void>;
}

/** Texts that outlive the app, such as AsyncStorage. */
export interface Store {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, text: string): Promise<unknown>;
}

/** The reminder that a push or a copy is about; null for a test push. */
export function reminderOf(data: unknown): Reminder | null {
  if (typeof data !== 'object' || data === null) return null;
  const { notification, survey, investigation } = data as Partial<Record<string, unknown>>;
  if (typeof notification !== 'string' || typeof survey !== 'string' || typeof investigation !== 'string')
    return null;
  return { notification, survey, investigation };
}
