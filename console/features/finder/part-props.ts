import type { Role } from '../../api.ts';

/** Of a dialog that keys open. */
export interface PartProps {
  /** The study that is open. */
  study: string | undefined;
  screensFor: (role: Role) => { path: string; entry?: { label: string } }[];
  onClose: () => void;
  onKeys: () => void;
}
