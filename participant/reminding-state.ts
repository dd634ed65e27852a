import type { Permission } from './permission.ts';

/* Whether reminders reach this phone: one answer, for every sentence that the page says about them. */

/**
 * `off`: not wanted, or not yet allowed; `blocked`: wanted, and the browser shows none; `failing`: the last look found a
 * fault; `unknown`: nobody has looked for days.
 */
export type Reminding = 'on' | 'off' | 'blocked' | 'failing' | 'unsupported' | 'unknown';

/** The page's last look, and its outcome. */
export interface Look {
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
  look: Look | undefined;
  now: number;
}

export function remindingOf({
  permission,
  device,
  wanted = device !== undefined,
  look,
  now,
}: Known): Reminding {
  if (permission === 'unsupported') return 'unsupported';
  if (permission === 'denied' || (wanted && permission === 'ask')) return 'blocked';
  if (permission !== 'granted' || !wanted) return 'off';
  if (look?.isWell === false) return 'failing';
  return device !== undefined && look && now - look.at < goodForMs ? 'on' : 'unknown';
}
