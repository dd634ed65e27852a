import UserNotifications

/*
 * A target of its own: File, New, Target, Notification Service Extension. Both targets are in the app group of
 * `Receipts`, and `Reminders.swift` belongs to both, or `Receipts` goes into a file that does. iOS starts it for each
 * push that has `mutable-content`, also while the app is closed, and gives it 30 seconds.
 */
final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler show: @escaping (UNNotificationContent) -> Void
    ) {
        if let id = request.content.userInfo["notification"] as? String {
            // The phone's own copy of this reminder, which would ring two minutes later.
            UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [id])
            // The app sends it with its next refresh.
            Receipts.keep("shown", of: id)
        }
        show(request.content)
    }
}
