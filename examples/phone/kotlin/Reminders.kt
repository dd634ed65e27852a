package org.example.fieldbell

import android.Manifest
import android.app.AlarmManager
import android.app.NotificationChannel
import android.app.NotificationManager
import android.app.PendingIntent
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.pm.PackageManager
import android.net.Uri
import android.os.Build
import androidx.core.app.NotificationCompat
import androidx.core.app.NotificationManagerCompat
import com.google.firebase.messaging.FirebaseMessaging
import com.google.firebase.messaging.FirebaseMessagingService
import com.google.firebase.messaging.RemoteMessage
import java.net.HttpURLConnection
import java.net.URL
import java.time.Instant
import java.time.temporal.ChronoUnit
import java.util.Locale
import java.util.TimeZone
import kotlin.concurrent.thread
import org.json.JSONArray
import org.json.JSONObject

/* All of it runs off the main thread: `thread { }` here, WorkManager in an app that should also survive a reboot. */

private const val url = "https://fieldbell.example.org"
private const val channel = "reminders"
/** A copy waits this long after `dueAt`, so that the push comes first. */
private const val copyDelayMs = 2 * 60_000L
private val ofReminder = listOf("notification", "survey", "investigation")

/** The access token of your sign-in. */
fun accessToken(): String = ""

class Answer(val status: Int, val body: JSONObject)

/** Throws IOException without a network; answers of any status come back. */
fun send(method: String, path: String, json: JSONObject? = null): Answer {
    val connection = URL(url + path).openConnection() as HttpURLConnection
    // HttpURLConnection knows no PATCH: an app uses OkHttp.
    connection.requestMethod = method
    connection.connectTimeout = 15_000
    connection.readTimeout = 15_000
    connection.setRequestProperty("Authorization", "Bearer ${accessToken()}")
    if (json != null) {
        connection.doOutput = true
        connection.setRequestProperty("Content-Type", "application/json")
        connection.outputStream.use { it.write(json.toString().toByteArray()) }
    }
    val status = connection.responseCode
    val stream = if (status < 400) connection.inputStream else connection.errorStream
    val text = stream?.bufferedReader()?.use { it.readText() }.orEmpty()
    return Answer(status, if (text.startsWith("{")) JSONObject(text) else JSONObject())
}

private fun Context.kept() = getSharedPreferences("fieldbell", Context.MODE_PRIVATE)

/** At every start, before the question for permission (Android 13 asks when the first channel exists). */
fun Context.makeChannel() {
    val reminders = NotificationChannel(channel, "Reminders", NotificationManager.IMPORTANCE_HIGH)
    getSystemService(NotificationManager::class.java).createNotificationChannel(reminders)
}

fun Context.mayNotify() =
    Build.VERSION.SDK_INT < 33 ||
        checkSelfPermission(Manifest.permission.POST_NOTIFICATIONS) == PackageManager.PERMISSION_GRANTED

/** At every start, once notifications are allowed: repeating it repairs it. Later versions of the token come by `PushService`. */
fun Context.register() {
    FirebaseMessaging.getInstance().token.addOnSuccessListener { token -> thread { register(token) } }
}

fun Context.register(token: String) {
    val zone = TimeZone.getDefault().id
    runCatching {
        send("POST", "/user", JSONObject(mapOf("name" to "Chidi", "timeZone" to zone)))
        val language = Locale.getDefault().toLanguageTag()
        val phone = mapOf("platform" to "android", "token" to token, "timeZone" to zone, "language" to language)
        val device = send("POST", "/user/me/device", JSONObject(phone)).body.optString("identifier")
        kept().edit().putString("device", device).apply()
    }
    refresh()
}

/** While the app is in the foreground. In the background Android shows the push by itself, and runs nothing of the app. */
class PushService : FirebaseMessagingService() {
    override fun onNewToken(token: String) = register(token)

    override fun onMessageReceived(message: RemoteMessage) {
        val id = message.data["notification"] ?: return
        cancelCopy(id)
        show(JSONObject(message.data as Map<*, *>), message.notification?.title, message.notification?.body)
        keepReceipt("shown", id)
        refresh()
    }
}

/** Shows a reminder with "Later", as FCM does: the tag is `notification`, the number 0. `silently` replaces one without ringing. */
fun Context.show(data: JSONObject, title: String?, body: String?, silently: Boolean = false) {
    if (!mayNotify()) return
    val id = data.getString("notification")
    val notice =
        NotificationCompat.Builder(this, channel)
            .setSmallIcon(applicationInfo.icon)
            .setContentTitle(title)
            .setContentText(body)
            .setPriority(NotificationCompat.PRIORITY_HIGH)
            .setOnlyAlertOnce(silently)
            .setAutoCancel(true)
            .setContentIntent(PendingIntent.getActivity(this, 0, openIntent(data), flags))
            .setDeleteIntent(reaction("dismissed", data, title, body))
            .addAction(0, "Later", reaction("later", data, title, body))
            .build()
    NotificationManagerCompat.from(this).notify(id, 0, notice)
}

private const val flags = PendingIntent.FLAG_IMMUTABLE or PendingIntent.FLAG_UPDATE_CURRENT

/** The data of a tapped push arrives in the same extras: `opened(intent)` in onCreate and onNewIntent of the activity. */
private fun Context.openIntent(data: JSONObject) =
    packageManager.getLaunchIntentForPackage(packageName)!!.apply {
        this.data = Uri.parse("fieldbell:open/${data.getString("notification")}")
        for (key in ofReminder) putExtra(key, data.getString(key))
    }

/** The survey to show, if a reminder has opened the activity. */
fun Context.opened(intent: Intent): String? {
    val id = intent.getStringExtra("notification") ?: return null
    cancelCopy(id)
    thread {
        keepReceipt("opened", id)
        refresh()
    }
    return intent.getStringExtra("survey")
}

private fun Context.intentOf(action: String, data: JSONObject, title: String?, body: String?) =
    Intent(this, ReminderReceiver::class.java)
        // Extras do not tell intents apart: the address does.
        .setData(Uri.parse("fieldbell:$action/${data.getString("notification")}"))
        .setAction(action)
        .putExtra("data", data.toString())
        .putExtra("title", title)
        .putExtra("body", body)

private fun Context.reaction(action: String, data: JSONObject, title: String?, body: String?): PendingIntent =
    PendingIntent.getBroadcast(this, 0, intentOf(action, data, title, body), flags)

/** "Later", a swipe, and the time of a copy. In the manifest, not exported. */
class ReminderReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        val data = JSONObject(intent.getStringExtra("data") ?: return)
        val (title, body) = intent.getStringExtra("title") to intent.getStringExtra("body")
        val id = data.getString("notification")
        val pending = goAsync()
        thread {
            try {
                when (intent.action) {
                    "later" -> context.later(data, title, body)
                    "dismissed" -> context.keepReceipt("dismissed", id)
                    "copy" -> context.showCopy(data, title, body)
                    "again" -> context.show(data, title, body)
                }
                context.refresh()
            } finally {
                pending.finish()
            }
        }
    }
}

/** The service pushes once more; without a network the phone does, under the same tag. */
private fun Context.later(data: JSONObject, title: String?, body: String?) {
    val id = data.getString("notification")
    NotificationManagerCompat.from(this).cancel(id, 0)
    // 409: the survey is answered, or the push would come after the reminder has expired.
    runCatching { send("POST", "/notification/$id/snooze", JSONObject().put("minutes", 30)) }
        .onFailure { setAlarm("again", data, title, body, System.currentTimeMillis() + 30 * 60_000) }
}

/** Two minutes after the reminder was due: alone, if no push has come. */
private fun Context.showCopy(data: JSONObject, title: String?, body: String?) {
    val id = data.getString("notification")
    val shown = getSystemService(NotificationManager::class.java).activeNotifications.any { it.tag == id }
    // A push that Android showed by itself has no "Later": the copy gives it one.
    if (shown) return show(data, title, body, silently = true)
    val wasPushed = runCatching { send("GET", "/notification/$id").body.optString("state") == "sent" }
    // A push that is not on the screen any more has been seen.
    if (wasPushed.getOrDefault(false)) return
    show(data, title, body)
    keepReceipt("shown", id)
}

private fun Context.setAlarm(action: String, data: JSONObject, title: String?, body: String?, at: Long) {
    val alarms = getSystemService(AlarmManager::class.java)
    val intent = reaction(action, data, title, body)
    // Without SCHEDULE_EXACT_ALARM Android may be minutes late.
    if (Build.VERSION.SDK_INT < 31 || alarms.canScheduleExactAlarms())
        alarms.setExactAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, intent)
    else alarms.setAndAllowWhileIdle(AlarmManager.RTC_WAKEUP, at, intent)
}

fun Context.cancelCopy(id: String) =
    getSystemService(AlarmManager::class.java)
        .cancel(reaction("copy", JSONObject().put("notification", id), null, null))

/** The earliest of each kind counts. Milliseconds, since a receipt before the push is refused. */
@Synchronized
fun Context.keepReceipt(event: String, id: String) {
    val key = "receipt.$event.$id"
    if (!kept().contains(key)) kept().edit().putString(key, Instant.now().truncatedTo(ChronoUnit.MILLIS).toString()).commit()
}

/** At every start, after each push and each answer, and when the network is back: answers that wait first (with `at`). */
@Synchronized
fun Context.refresh() {
    runCatching {
        sendReceipts()
        readAgenda()
    }
}

private fun Context.sendReceipts() {
    val waiting = kept().all.filterKeys { it.startsWith("receipt.") }.entries.take(500)
    if (waiting.isEmpty()) return
    val receipts = waiting.map { (key, at) ->
        val (_, event, id) = key.split(".")
        JSONObject(mapOf("event" to event, "notification" to id, "at" to at))
    }
    val answer = send("POST", "/user/me/receipts", JSONObject().put("receipts", JSONArray(receipts)))
    // Receipts in `refused` stay refused: all of them leave the list.
    if (answer.status == 200) kept().edit().apply { waiting.forEach { remove(it.key) } }.apply()
}

private fun Context.readAgenda() {
    val device = kept().getString("device", null)?.let { "?device=$it" }.orEmpty()
    val answer = send("GET", "/user/me/agenda$device")
    if (answer.status != 200) return
    val occurrences = answer.body.getJSONArray("occurrences").let { list -> List(list.length(), list::getJSONObject) }
    val now = System.currentTimeMillis()
    val wanted = occurrences.filter { atOf(it) > now && atOf(it) < Instant.parse(it.getString("expiresAt")).toEpochMilli() }
    val ids = wanted.map { it.getString("notification") }.toSet()
    for (id in kept().getStringSet("copies", emptySet())!! - ids) cancelCopy(id)
    for (one in wanted) {
        val data = JSONObject().apply { for (key in ofReminder) put(key, one.getString(key)) }
        setAlarm("copy", data, one.getString("subject"), one.getString("body"), atOf(one))
    }
    // AlarmManager lists nothing, so the app remembers what it has set.
    kept().edit().putStringSet("copies", ids).apply()
}

private fun atOf(occurrence: JSONObject) =
    Instant.parse(occurrence.getString("dueAt")).toEpochMilli() + copyDelayMs
