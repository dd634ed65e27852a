/*
 * The occurrence that an answer belongs to, by decision 17 alone. Instants are epoch ms.
 */

export interface SlowReminder {
  id: string;
  dueAt: number;
  /** The first answer that belonged to it, as far as the service knew. */
  answeredAt: number | null;
}

/** Of reminders in their order, the one that takes an answer without a name: the newest that is due, open and unanswered. */
export function slowOpen(
  reminders: readonly SlowReminder[],
  given: number,
  expiresAfterMs: number,
): string | undefined {
  return reminders.findLast(
    ({ dueAt, answeredAt }) =>
      dueAt <= given && given < dueAt + expiresAfterMs && (answeredAt === null || answeredAt > given),
  )?.id;
}
