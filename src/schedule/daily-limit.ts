import type { FollowUpRule } from './rule.ts';
import { slotsOf, type Windows } from './windows.ts';

/** The most nudges that follow a push. */
export const maxNudges = 10;

/** Most pushes of reminders on one date, snoozes aside: each occurrence, and its nudges. */
export const pushesOfDate = (
  windows: Windows | null | undefined,
  followUps: FollowUpRule | null | undefined,
) => (windows ? slotsOf(windows) : 1) * (1 + (followUps?.max ?? 0));
