import type { FollowUp, Notification, Participant, Results, Totals } from './results.ts';

/** For a study's team: who got which reminder, when (by their own clock and in UTC), and why not. */
export function textReport(results: Results): string {
  const { name, from, until, participants, violations, refusals, totals } = results;
  const lines = [`${name}: ${from} to ${until}`, ''];
  for (const participant of participants) lines.push(...describe(participant), '');
  if (refusals.length > 0) {
    lines.push('Requests that the service refused:');
    for (const one of refusals)
      lines.push(`  ${one.at}  ${one.who}: ${one.what}: ${one.status} ${one.detail}`);
    lines.push('');
  }
  lines.push(...summary(totals));
  lines.push(
    violations.length === 0
      ? 'The invariants hold.'
      : `${violations.length} violations:\n${violations.map((one) => `  ${one}`).join('\n')}`,
  );
  return lines.join('\n');
}

/** The outcomes of the reminders and of their follow-ups. */
export function summary(totals: Totals): string[] {
  const { sent, skipped, failed, invalidated, scheduled, nudges, snoozes, pushes, refusedPushes } = totals;
  const leftOut = Object.entries(totals.leftOut).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${sent} sent, ${skipped} skipped, ${failed} failed, ${invalidated} replaced, ${scheduled} scheduled; ${pushes} pushes accepted by the relay, ${refusedPushes} refused.`,
    `${nudges} nudges and ${snoozes} snoozes sent; left out: ${leftOut.join(', ') || 'none'}.`,
  ];
}

function describe({ name, notifications, phones }: Participant): string[] {
  const lines = [name];
  if (notifications.length === 0) lines.push('  nothing');
  for (const one of notifications)
    lines.push(`  ${line(one)}`, ...one.followUps.map((next) => `    ${followUpLine(next)}`));
  for (const phone of phones) lines.push(`  ${phone.name} shows ${phone.shows} notifications`);
  return lines;
}

const followUpLine = ({ kind, dueAt, state, reason }: FollowUp) =>
  `${dueAt.slice(0, 16)}Z ${kind}: ${reason === undefined ? state : `${state}, ${reason}`}`;

function line({
  survey,
  local,
  dueAt,
  timeZone,
  state,
  reason,
  sentAt,
  lateSeconds,
  deliveries,
}: Notification) {
  const when = `${local} ${timeZone} (${dueAt.slice(0, 16)}Z)`;
  const what = reason === undefined ? state : `${state}: ${reason}`;
  const late = sentAt !== null && lateSeconds >= 60 ? `, ${Math.round(lateSeconds / 60)} min late` : '';
  const errors = [...new Set(deliveries.flatMap(({ error }) => error ?? []))];
  const why = errors.length > 0 ? ` (${errors.join(', ')})` : '';
  return `${when}  ${survey}  ${what}${late}${why}`;
}
