import type { Days } from '../participants/participant-counts.ts';

export type Day = Days['days'][number];

/** The series of each day. */
export const series = ['due', 'sent', 'opened', 'answered'] as const;
export type Series = (typeof series)[number];
