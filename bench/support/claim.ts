import type { Spread } from './statistics.ts';

/** A line of the table: Fieldbell, its counterpart, the ratio, and the goal. */
export interface Claim {
  what: string;
  fieldbell: string;
  beside: string;
  ratio?: Spread;
  /** The value that the median of the ratio should reach, or not exceed. */
  goal?: { least: number } | { most: number };
  /** Set if the median does not decide; null: too little was measured. */
  met?: boolean | null;
}

/** Null: not judged. */
export function isMet({ ratio, goal, met }: Claim): boolean | null {
  if (met !== undefined) return met;
  if (!ratio || !goal) return null;
  return 'least' in goal ? ratio.median >= goal.least : ratio.median <= goal.most;
}
