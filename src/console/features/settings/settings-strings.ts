import { formatDate } from '../../format.ts';

export const strings = {
  title: 'Settings',
  about: 'Settings of the study, for its owners.',
  study: 'The study',
  name: 'Name',
  zone: 'Time zone',
  zoneHint: 'For the study’s calendar, and for people whose phone and profile have no zone.',
  startsOn: 'First day',
  startsOnHint: 'Reminders by the study’s calendar count from this day.',
  replans: 'A change of the zone or the first day replans the reminders of everyone in the study.',
  locks: 'Locks',
  unlock: 'Permission to unlock',
  unlockBy: { viewers: 'Everyone who may see an item', owners: 'Owners only' },
  signature: 'Locking, unlocking and freezing need a signature',
  signatureHint:
    'People sign in again, and state the meaning of their signature. The activity log keeps the signature.',
  signTitle: 'Sign the change of locks',
  signAbout:
    'Locks of this study are signed, and so is a change of that rule. The activity log keeps your signature.',
  save: 'Save settings',
  saved: 'The settings are saved.',
  stale: 'Somebody changed these settings meanwhile.',
  staleNow: (name: string, zone: string, startsOn: string) =>
    `The settings are now: ${name}, ${zone}, from ${formatDate(startsOn)}. Your changes are still in this form.`,
  archivedAbout: 'An archived study cannot be changed. Bring it back first.',

  archiveTitle: 'Archive this study',
  archiveAbout:
    'An archived study takes nothing new and sends no reminders. Everybody can still read its data. You can bring the study back at any time.',
  archive: 'Archive study',
  archived: 'The study is archived.',
  bringBackTitle: 'Bring this study back',
  bringBackAbout: 'The study takes cases and responses again, and its reminders go on.',
  bringBack: 'Bring back',
  broughtBack: 'The study is back.',

  deleteTitle: 'Delete this study',
  deleteAbout:
    'The study disappears for everyone at once. For 30 days an owner can bring the study back. Then all of its data is removed for good, the activity log included.',
  deleteFrozen: 'A frozen study cannot be deleted. End the freeze first.',
  delete: 'Delete study',
  askTitle: 'Delete this study?',
  ask: 'Type the name of the study to delete it.',
  confirmName: 'Name of the study',
  wrongName: 'The name does not match.',

  deletedTitle: 'The study is deleted',
  deletedAbout:
    'For 30 days the owners find the study among their deleted studies, and can bring it back, archived as before.',
  toDeleted: 'Your deleted studies',
  restore: 'Bring the study back',
  restored: 'The study is back, archived as before.',
  gone: 'The study cannot be brought back: it was never deleted, its 30 days are over, or you are not one of its owners.',
} as const;
