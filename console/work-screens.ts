import { Adherence } from './features/adherence/adherence-screen.tsx';
import { KeysDialog } from './features/finder/keys-dialog.tsx';
import { Palette } from './features/finder/palette.tsx';
import { Queue } from './features/queue/queue-screen.tsx';

/** The screens that people go to from the first one. They are one file of the build, fetched when a person begins to act. */
export const screens = {
  adherence: Adherence,
  queue: Queue,
};

/** The dialogs that keys open. */
export const dialogs = { Palette, KeysDialog };
