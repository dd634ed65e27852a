import { dayMs } from './days.ts';

/** How long settled notifications are kept (ms). Older due dates are passed over without a record. */
export const retentionMs = 400 * dayMs;

/** How long deleted items and studies can be brought back, before they are purged (ms). */
export const deletedRetentionMs = 30 * dayMs;

/** A purge waits for longer than owners may bring things back, so that differing clocks and slow requests do not matter (ms). */
export const purgeAfterMs = deletedRetentionMs + 3600 * 1000;

/** The relay repeats a message for an hour at most; the rest allows for differing clocks (ms). */
export const relayMessageRetentionMs = 2 * 3600 * 1000;

/** Reminders are open for sixty days at most, so those that were due within a pause are decided before this has passed (ms). */
export const pauseRetentionMs = 67 * dayMs;
