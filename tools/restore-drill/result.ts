import type { KeySet, SignedHead } from '../verify/head.ts';

/** Ways to break the copy, each of which a check has to find. */
export const faults = ['cut', 'row', 'log', 'sent'] as const;
export type Broken = (typeof faults)[number];

export interface DrillOptions {
  /** Keeps the backup under this name. */
  keep?: string | undefined;
  /** Hours that pass in the copy. */
  hours: number;
  /** Heads that were kept on earlier days, and the keys that signed them. */
  heads: readonly SignedHead[];
  keys?: KeySet | undefined;
  broken?: Broken | undefined;
  /** `AUDIT_SIGNING_KEY`. */
  signingKey?: string | undefined;
}

/** The finding of one check: a sentence, its numbers, and all that is wrong. */
export interface Check {
  name: 'backup' | 'file' | 'rows' | 'logs' | 'pending' | 'pushes';
  passed: boolean;
  text: string;
  numbers: Record<string, number | string | null>;
  faults: string[];
}

export interface DrillResult {
  database: string;
  at: string;
  passed: boolean;
  /** The way in which the copy was broken on purpose. */
  broken: Broken | null;
  checks: Check[];
}

/** A check as its function finds it. */
export type Found = Omit<Check, 'name' | 'passed'>;
