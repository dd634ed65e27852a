import { KeysDialog } from './keys-dialog.tsx';
import { Palette } from './palette.tsx';

/** They are one file of the build, fetched when a person begins to act. */
export const parts = { Palette, KeysDialog };
