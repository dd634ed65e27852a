import UIKit
import UserNotifications

/// The service, as far as reminders need it.
struct Fieldbell {
    let url: URL
    /// The access token of your sign-in.
    let token: () async throws -> String

    /// Throws without a network; answers of any status come back.
    func send(_ method: String, _ path: String, _ json: [String: Any]? = nil)
        async throws -> (status: Int, body: [String: Any])
    {
        var request = URLRequest(url: URL(string: path, relativeTo: url)!)
        request.httpMethod = method
        request.timeoutInterval = 15
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
        if let json {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: json)
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = response as! HTTPURLResponse
        let body = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        return (answer.statusCode, body)
    }
}

/// Receipts that wait for a network, in the app group, since the notification service extension writes some of them.
enum Receipts {
    static let group = UserDefaults(suiteName: "group.org.example.fieldbell")!
    private static let prefix = "receipt."
    /// With milliseconds, as the service writes them: a receipt from before the push is refused.
    static let iso = {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return format
    }()

    /// One key for each receipt, so that two processes never overwrite each other's. The earliest counts.
    static func keep(_ event: String, of notification: String, at: Date = .now) {
        let key = "\(prefix)\(event).\(notification)"
        if group.string(forKey: key) == nil {
            group.set(iso.string(from: at), forKey: key)
        }
    }

    static func send(to service: Fieldbell) async throws {
        let kept = group.dictionaryRepresentation().filter { $0.key.hasPrefix(prefix) }.prefix(500)
        if kept.isEmpty { return }
        let receipts = kept.map { key, at -> [String: Any] in
            let parts = key.split(separator: ".")
            return ["event": String(parts[1]), "notification": String(parts[2]), "at": at]
        }
        let answer = try await service.send("POST", "/user/me/receipts", ["receipts": receipts])
        // Receipts in `refused` stay refused: all of them leave the list.
        if answer.status == 200 { kept.forEach { group.removeObject(forKey: $0.key) } }
    }
}

final class AppDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    let service = Fieldbell(url: URL(string: "https://fieldbell.example.org")!) { /* your sign-in */ "" }
    let center = UNUserNotificationCenter.current()
    /// A copy waits this long after `dueAt`, so that the push comes first, and its arrival cancels the copy.
    let copyDelay: TimeInterval = 120

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        center.delegate = self
        // The service's pushes have the category `reminder`. Without `.foreground` the action opens no app.
        let later = UNNotificationAction(identifier: "later", title: "Later")
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "reminder", actions: [later], intentIdentifiers: [], options: .customDismissAction)
        ])
        Task {
            if try await center.requestAuthorization(options: [.alert, .sound]) {
                application.registerForRemoteNotifications()
            }
        }
        return true
    }

    // At every start: the token may have changed, and repeating the registration repairs it.
    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {
        let hex = token.map { String(format: "%02x", $0) }.joined()
        let zone = TimeZone.current.identifier
        Task {
            _ = try await service.send("POST", "/user", ["name": "Chidi", "timeZone": zone])
            let phone: [String: Any] = [
                "platform": "ios", "token": hex, "timeZone": zone,
                "language": Locale.preferredLanguages.first ?? "en",
            ]
            let answer = try await service.send("POST", "/user/me/device", phone)
            Receipts.group.set(answer.body["identifier"] as? String, forKey: "device")
            try await refresh()
        }
    }

    // The app is open.
    func userNotificationCenter(_ center: UNUserNotificationCenter, willPresent notification: UNNotification)
        async -> UNNotificationPresentationOptions
    {
        if let id = notification.request.content.userInfo["notification"] as? String {
            Receipts.keep("shown", of: id)
            center.removePendingNotificationRequests(withIdentifiers: [id])
            Task { try await refresh() }
        }
        return [.banner, .list, .sound]
    }

    // A tap, a swipe or "Later", also while the app was closed: iOS starts it without a screen for the last two.
    func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
        let content = response.notification.request.content
        guard let id = content.userInfo["notification"] as? String else { return }
        switch response.actionIdentifier {
        case "later":
            await later(id, content)
        case UNNotificationDismissActionIdentifier:
            Receipts.keep("dismissed", of: id)
        default:
            Receipts.keep("opened", of: id)
            show(survey: content.userInfo["survey"] as? String)
        }
        center.removePendingNotificationRequests(withIdentifiers: response.actionIdentifier == "later" ? [] : [id])
        try? await refresh()
    }

    /// The service pushes once more; without a network the phone does, under the same identifier.
    private func later(_ id: String, _ content: UNNotificationContent) async {
        // 409: the survey is answered, or the push would come after the reminder has expired. Say so in the app.
        if (try? await service.send("POST", "/notification/\(id)/snooze", ["minutes": 30])) != nil { return }
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 30 * 60, repeats: false)
        try? await center.add(UNNotificationRequest(identifier: id, content: content, trigger: trigger))
        var putOff = Receipts.group.stringArray(forKey: "later") ?? []
        putOff.append(id)
        Receipts.group.set(putOff, forKey: "later")
    }

    /// At every start, after each push and each answer, and when the network is back: answers that wait first (with `at`),
    /// then receipts, then the agenda.
    func refresh() async throws {
        try await Receipts.send(to: service)
        let device = Receipts.group.string(forKey: "device").map { "?device=\($0)" } ?? ""
        let answer = try await service.send("GET", "/user/me/agenda\(device)")
        guard answer.status == 200, let occurrences = answer.body["occurrences"] as? [[String: Any]] else { return }
        var wanted: [String: UNNotificationRequest] = [:]
        for one in occurrences {
            guard let id = one["notification"] as? String, let due = instant(one["dueAt"]),
                let expires = instant(one["expiresAt"])
            else { continue }
            let at = due.addingTimeInterval(copyDelay)
            if at <= .now || at >= expires { continue }
            let content = UNMutableNotificationContent()
            content.title = one["subject"] as? String ?? ""
            content.body = one["body"] as? String ?? ""
            content.sound = .default
            content.categoryIdentifier = "reminder"
            content.threadIdentifier = one["survey"] as? String ?? ""
            content.userInfo = one.filter { ["notification", "survey", "investigation"].contains($0.key) }
            let parts = Calendar.current.dateComponents(in: .current, from: at)
            var date = DateComponents()
            (date.timeZone, date.year, date.month, date.day) = (parts.timeZone, parts.year, parts.month, parts.day)
            (date.hour, date.minute, date.second) = (parts.hour, parts.minute, parts.second)
            let trigger = UNCalendarNotificationTrigger(dateMatching: date, repeats: false)
            // The identifier is that of the push (`apns-collapse-id`): one takes the other's place.
            wanted[id] = UNNotificationRequest(identifier: id, content: content, trigger: trigger)
        }
        let pending = await center.pendingNotificationRequests().map(\.identifier)
        let putOff = (Receipts.group.stringArray(forKey: "later") ?? []).filter(pending.contains)
        Receipts.group.set(putOff, forKey: "later")
        let gone = pending.filter { wanted[$0] == nil && !putOff.contains($0) }
        center.removePendingNotificationRequests(withIdentifiers: gone)
        let delivered = Set(await center.deliveredNotifications().map(\.request.identifier))
        for (id, request) in wanted where !delivered.contains(id) { try await center.add(request) }
    }

    private func instant(_ text: Any?) -> Date? {
        (text as? String).flatMap(Receipts.iso.date(from:))
    }

    private func show(survey: String?) { /* your screen */ }
}
