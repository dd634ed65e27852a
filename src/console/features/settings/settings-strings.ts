import { formatDate } from '../../format.ts';

export const strings = {
  title: 'Settings',
  about: 'Of the study, for its owners.',
  study: 'The study',
  name: 'Name',
  zone: 'Time zone',
  zoneHint: 'Of the study’s calendar, and of people whose phone and profile tell none.',
  startsOn: 'First day',
  startsOnHint: 'Reminders that follow the study’s calendar count from it.',
  replans: 'A change of the zone or the first day replans the reminders of everyone in the study.',
  locks: 'Locks',
  unlock: 'Who may unlock',
  unlockBy: { viewers: 'Everyone who may see an item', owners: 'Owners only' },
  signature: 'Locking, unlocking and freezing need a signature',
  signatureHint: 'People sign in again, and say what their signature means. The activity log keeps it.',
  signTitle: 'Sign the change of locks',
  signAbout:
    'Locks of this study are signed, and so is a change of that rule. The activity log keeps your signature.',
  save: 'Save settings',
  saved: 'The settings are saved.',
  stale: 'Somebody changed these settings meanwhile.',
  staleNow: (name: string, zone: string, startsOn: string) =>
    `They are now: ${name}, ${zone}, from ${formatDate(startsOn)}. Yours are still in this form.`,
  archivedAbout: 'An archived study cannot be changed. Bring it back first.',

  archiveTitle: 'Archive this study',
  archiveAbout:
    'It takes nothing new and no reminders are sent, but everything in it can be read. You can bring it back at any time.',
  archive: 'Archive study',
  archived: 'The study is archived.',
  bringBackTitle: 'Bring this study back',
  bringBackAbout: 'It takes cases and responses again, and its reminders go on.',
  bringBack: 'Bring back',
  broughtBack: 'The study is back.',

  deleteTitle: 'Delete this study',
  deleteAbout:
    'It is gone for everyone at once. For 30 days an owner can bring it back; then everything in it is removed for good, its activity log included.',
  deleteFrozen: 'A frozen study cannot be deleted. End the freeze first.',
  delete: 'Delete study',
  askTitle: 'Delete this study?',
  ask: 'Type the name of the study to delete it.',
  confirmName: 'Name of the study',
  wrongName: 'This is not its name.',

  deletedTitle: 'The study is deleted',
  deletedAbout:
    'For 30 days after its deletion an owner can bring it back, archived as it was. Until then its owners find it among their deleted studies.',
  toDeleted: 'Your deleted studies',
  restore: 'Bring it back',
  restored: 'The study is back, and archived as it was.',
  gone: 'It cannot be brought back: it was never deleted, its 30 days are over, or you are not one of its owners.',
} as const;
