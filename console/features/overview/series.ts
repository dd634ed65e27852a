import type { Days } from '../participants/compliance.ts';

export type Day = Days['days'][number];

/** The series of each day. */
export const series = ['due', 'sent', 'opened', 'answered'] as const;
export type Series = (typeof series)[number];
