import { formatDate } from '../../format.ts';

export const strings = {
  title: 'Settings',
  about: 'Settings of the study, for its owners.',
  study: 'The study',
  name: 'Name',
  zone: 'Time zone',
  zoneHint: 'The zone applies to the study’s calendar, and to people whose phone and profile have no zone.',
  startsOn: 'First day',
  startsOnHint: 'Reminders that follow the study’s calendar are counted from this day.',
  replans: 'A change of the zone or the first day moves the reminders of everyone in the study.',
  locks: 'Locks',
  unlock: 'Permission to unlock',
  unlockBy: { viewers: 'Everyone who may see an item', owners: 'Owners only' },
  signature: 'Locking, unlocking and freezing need a signature',
  signatureHint:
    'People sign in again, and state the meaning of their signature. The activity log keeps the signature.',
  signTitle: 'Sign the change to locks',
  signAbout:
    'Locks in this study need a signature, and a change to the rules for locks needs one, too. The activity log keeps your signature.',
  save: 'Save settings',
  saved: 'The settings are saved.',
  stale: 'Somebody else has changed these settings in the meantime.',
  staleNow: (name: string, zone: string, startsOn: string) =>
    `The settings are now: ${name}, ${zone}, from ${formatDate(startsOn)}. Your changes are still in this form.`,
  archivedAbout: 'An archived study cannot be changed. Bring it back first.',

  information: 'Information for participants',
  informationAbout: 'The text that people read before they join, in each language.',

  archiveTitle: 'Archive this study',
  archiveAbout:
    'Nothing new can be added to an archived study, and no reminders are sent. Everybody can still read its data. You can bring the study back at any time.',
  archive: 'Archive study',
  archived: 'The study is archived.',
  bringBackTitle: 'Bring this study back',
  bringBackAbout: 'Cases and responses can be added again, and reminders are sent again.',
  bringBack: 'Bring back',
  broughtBack: 'The study is back.',

  deleteTitle: 'Delete this study',
  deleteAbout:
    'The study disappears for everyone at once. For 30 days an owner can bring the study back. After that, all of its data is removed permanently, including the activity log.',
  deleteFrozen: 'A frozen study cannot be deleted. End the freeze first.',
  delete: 'Delete study',
  askTitle: 'Delete this study?',
  ask: 'Type the name of the study to delete it.',
  confirmName: 'Name of the study',
  wrongName: 'The name does not match.',

  deletedTitle: 'The study is deleted',
  deletedAbout:
    'For 30 days, its owners find the study among their deleted studies and can bring it back. The study is then archived, as before.',
  toDeleted: 'Your deleted studies',
  restore: 'Bring the study back',
  restored: 'The study is back, archived as before.',
  gone: 'The study cannot be brought back: it was never deleted, its 30 days are over, or you are not one of its owners.',
} as const;
