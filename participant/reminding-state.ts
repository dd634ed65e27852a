import type { Permission } from './permission.ts';

/* Whether reminders reach this phone: one answer, for every sentence that the page says about them. */

/**
 * `off`: not wanted, or not yet allowed; `blocked`: wanted, and the browser shows none; `failing`: the last check found a
 * fault; `unknown`: nobody has looked for days.
 */
export type Reminding = 'on' | 'off' | 'blocked' | 'failing' | 'unsupported' | 'unknown';

/** The page's last check, and its outcome. */
export interface Check {
  /** Epoch ms. */
  at: number;
  isWell: boolean;
}

const goodForMs = 3 * 24 * 3600 * 1000;

/** All that this phone knows of it. */
export interface Known {
  permission: Permission;
  device: string | undefined;
  wanted: boolean | undefined;
  check: Check | undefined;
  now: number;
}

export function remindingOf({
  permission,
  device,
  wanted = device !== undefined,
  check,
  now,
}: Known): Reminding {
  if (permission === 'unsupported') return 'unsupported';
  if (permission === 'denied' || (wanted && permission === 'ask')) return 'blocked';
  if (permission !== 'granted' || !wanted) return 'off';
  if (check?.isWell === false) return 'failing';
  return device !== undefined && check && now - check.at < goodForMs ? 'on' : 'unknown';
}
