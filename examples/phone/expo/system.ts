import * as Notifications from 'expo-notifications';
import { Platform } from 'react-native';
import { type Copy, type Notice, type NotificationSystem, reminderOf } from '../logic/system.ts';
import { settings } from './settings.ts';

/** The category of the service's pushes to iOS. Expo asks for names without `:` and `-`. */
const category = 'reminder';
export const laterAction = 'later';

/** The channel that `app.json` names for pushes. */
const pushChannel = 'reminders';
/**
 * Copies vibrate without a sound. While the app is closed Android shows a push by itself and tells the app nothing, so
 * that the copy cannot be cancelled: it replaces the push, and should not ring again.
 */
const copyChannel = 'copies';

export const system: NotificationSystem = {
  async prepare() {
    const { HIGH } = Notifications.AndroidImportance;
    await Notifications.setNotificationChannelAsync(pushChannel, { name: 'Reminders', importance: HIGH });
    await Notifications.setNotificationChannelAsync(copyChannel, {
      name: 'Reminders without a network',
      importance: HIGH,
      sound: null,
      vibrationPattern: [0, 250],
    });
    const later = { identifier: laterAction, buttonTitle: 'Later', options: { opensAppToForeground: false } };
    // `customDismissAction`: iOS says when a notice is wiped away. Android says so to no app by Expo.
    await Notifications.setNotificationCategoryAsync(category, [later], { customDismissAction: true });
  },

  async permitted() {
    const asked = await Notifications.getPermissionsAsync();
    if (asked.granted || !asked.canAskAgain) return asked.granted;
    return (await Notifications.requestPermissionsAsync()).granted;
  },

  async pushToken() {
    if (settings.pushToken) return { platform: Platform.OS, token: settings.pushToken };
    try {
      const { data } = await Notifications.getDevicePushTokenAsync();
      return { platform: Platform.OS, token: data };
    } catch (error) {
      console.warn('This phone gets no pushes:', error);
      return null;
    }
  },

  async copies() {
    const requests = await Notifications.getAllScheduledNotificationsAsync();
    return requests.flatMap(({ content }) => {
      const reminder = reminderOf(content.data);
      const at = content.data?.at;
      if (!reminder || typeof at !== 'number') return [];
      return [{ ...reminder, title: content.title ?? '', body: content.body ?? '', at } satisfies Copy];
    });
  },

  async schedule(copy) {
    await Notifications.scheduleNotificationAsync({
      identifier: copy.notification,
      content: contentOf(copy, { at: copy.at }),
      trigger: {
        type: Notifications.SchedulableTriggerInputTypes.DATE,
        date: copy.at,
        channelId: copyChannel,
      },
    });
  },

  cancel: (notification) => Notifications.cancelScheduledNotificationAsync(notification),
  dismiss: (notification) => Notifications.dismissNotificationAsync(notification),
};

/** Shows a push that came while the app was open: on Android with the action, and under the tag of the push. */
export async function showNow(notice: Notice): Promise<void> {
  await Notifications.scheduleNotificationAsync({
    identifier: notice.notification,
    content: contentOf(notice),
    trigger: Platform.OS === 'android' ? { channelId: pushChannel } : null,
  });
}

const contentOf = ({ title, body, ...data }: Notice, more: object = {}) => ({
  title,
  body,
  data: { ...data, ...more },
  sound: 'default',
  categoryIdentifier: category,
});
