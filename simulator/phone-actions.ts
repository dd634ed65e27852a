import type { Context } from './context.ts';
import type { MemberRecord, Requested, Snooze, SurveyRecord } from './records.ts';
import type { World } from './world.ts';

/** The times of a request that begins now. */
export const requested = (world: World): Requested => ({
  from: world.at(),
  fromNow: world.now(),
  sure: Number.POSITIVE_INFINITY,
  sureNow: Number.POSITIVE_INFINITY,
});

/** The times of a request that is answered now. */
export const certain = (world: World) => ({ sure: world.at(), sureNow: world.now() });

/** The notifications of a survey that the member's phones have, the last first. */
export function shownOn({ relay }: Context, member: MemberRecord, survey: SurveyRecord): string[] {
  const tokens = member.tokens.last();
  const pushes = relay.accepted.filter((push) => push.survey === survey.id && tokens.includes(push.token));
  return [...new Set(pushes.map(({ collapseId }) => collapseId).toReversed())];
}

/** Opens the last notification of a survey, which the phone reports to the service. */
export async function open(context: Context, member: MemberRecord, survey: SurveyRecord) {
  const { people, world } = context;
  const [notification] = shownOn(context, member, survey);
  if (notification === undefined) return;
  const opened = { notification, ...requested(world) };
  member.opens.push(opened);
  const path = `/notification/${notification}/receipt`;
  const done = await people.ask(member.name, 'POST', path, { event: 'opened' });
  if (done) Object.assign(opened, certain(world));
  else member.opens.splice(member.opens.indexOf(opened), 1);
}

/**
 * A phone that was offline reports when it showed its notifications, all of them each time, and the first one twice. The
 * latest pushes come first.
 */
export async function report({ people, relay, world }: Context, member: MemberRecord) {
  const tokens = member.tokens.last();
  const shown = relay.accepted
    .filter((push) => tokens.includes(push.token) && push.now <= world.now())
    .toReversed()
    .slice(0, 400)
    .map(({ collapseId: notification, now }) => ({
      notification,
      event: 'shown',
      at: new Date(now).toISOString(),
    }));
  if (shown.length === 0) return;
  const reported = { notifications: shown.map(({ notification }) => notification), ...requested(world) };
  member.reports.push(reported);
  const receipts = [...shown, ...shown.slice(-1)];
  const done = await people.ask(member.name, 'POST', '/user/me/receipts', { receipts });
  if (!done) return;
  const refused = new Set(done.body.refused.map((one: { notification: string }) => one.notification));
  reported.notifications = reported.notifications.filter((one) => !refused.has(one));
  Object.assign(reported, certain(world));
}

const retryMs = 10_000;

/** Asks for one more push of a notification. A request without an answer is made again, and may have counted. */
export async function snooze(
  context: Context,
  member: MemberRecord,
  survey: SurveyRecord,
  { minutes, older }: { minutes: number; older: boolean },
) {
  const { people, world } = context;
  const notification = shownOn(context, member, survey)[older ? 1 : 0];
  if (notification === undefined) return;
  for (;;) {
    const one: Snooze = { notification, minutes, ...requested(world) };
    member.snoozes.push(one);
    const path = `/notification/${notification}/snooze`;
    const answer = await people.once(member.name, 'POST', path, { minutes }).catch(() => null);
    Object.assign(one, certain(world));
    if (answer?.status === 202) one.nextAt = Date.parse(answer.body.nextAt);
    else if (answer && answer.status < 500) one.refused = String(answer.body.code);
    if (answer && answer.status < 500) return;
    await world.wait(retryMs);
  }
}
