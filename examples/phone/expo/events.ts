import * as Notifications from 'expo-notifications';
import * as TaskManager from 'expo-task-manager';
import { AppState, Platform } from 'react-native';
import { type Notice, reminderOf } from '../logic/system.ts';
import { phone } from './phone.ts';
import { laterAction, showNow } from './system.ts';

const task = 'fieldbell-reactions';
/** iOS's name of "wiped away". */
const dismissAction = 'com.apple.UNNotificationDismissActionIdentifier';

/**
 * The reminder of a notice, with its texts. Copies carry it as data of their content; a push on iOS beside `aps`, and on
 * Android in the data of the message.
 */
function noticeOf({ request: { content, trigger } }: Notifications.Notification): Notice | null {
  const pushed =
    trigger && 'type' in trigger && trigger.type === 'push'
      ? ((trigger as Notifications.PushNotificationTrigger).payload ??
        (trigger as Notifications.PushNotificationTrigger).remoteMessage?.data)
      : undefined;
  const reminder = reminderOf(content.data) ?? reminderOf(pushed);
  return reminder && { ...reminder, title: content.title ?? '', body: content.body ?? '' };
}

const isPush = ({ request: { trigger } }: Notifications.Notification) =>
  trigger !== null && 'type' in trigger && trigger.type === 'push';

/** Resolves with the survey to show, if there is one. */
async function react({ notification, actionIdentifier }: Notifications.NotificationResponse) {
  const notice = noticeOf(notification);
  if (!notice) return null;
  if (actionIdentifier === laterAction) await phone.later(notice);
  else if (actionIdentifier === dismissAction) await phone.dismissed(notice);
  else {
    await phone.opened(notice);
    return notice.survey;
  }
  return null;
}

/** Before the first screen: "Later" runs this file without one, also after the app was closed. */
export function listenInBackground() {
  Notifications.setNotificationHandler({
    // Android would show a push under the name of the message: it is shown anew, under its tag.
    handleNotification: async (notification) => {
      const isShown = Platform.OS === 'ios' || !isPush(notification) || noticeOf(notification) === null;
      return {
        shouldShowBanner: isShown,
        shouldShowList: isShown,
        shouldPlaySound: isShown,
        shouldSetBadge: false,
      };
    },
  });
  // Android gives actions on notices to a task while the app is closed, to the listener below while it runs.
  TaskManager.defineTask<Notifications.NotificationTaskPayload>(task, async ({ data }) => {
    if ('actionIdentifier' in data) await react(data);
  });
  void Notifications.registerTaskAsync(task);
}

/** While the app runs. `show` opens a survey. Returns the way to stop. */
export function listen(show: (survey: string) => void): () => void {
  const open = (response: Notifications.NotificationResponse) =>
    react(response).then((survey) => survey !== null && show(survey));
  const first = Notifications.getLastNotificationResponse();
  if (first) void open(first);
  const subscriptions = [
    Notifications.addNotificationReceivedListener((notification) => {
      const notice = noticeOf(notification);
      if (!notice) return;
      if (Platform.OS === 'android' && isPush(notification)) void showNow(notice);
      void phone.arrived(notice);
    }),
    Notifications.addNotificationResponseReceivedListener((response) => void open(response)),
    Notifications.addPushTokenListener(() => void phone.start()),
    AppState.addEventListener('change', (state) => {
      if (state === 'active') void phone.start();
    }),
  ];
  return () => {
    for (const subscription of subscriptions) subscription.remove();
  };
}
