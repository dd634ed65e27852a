import type { Study } from '../../api.ts';
import { count, formatDate, formatList } from '../../format.ts';

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
  dates: 'Dates of each person',
  datesHint:
    'Names of dates that each participant has, such as “surgery”: one per line, at most 10. Reminders can be counted from these dates. You set them on the page of a participant, or for many people from a table.',
  participationDays: 'Days for which each person takes part',
  participationDaysHint:
    'Counted from the day on which a person joins, which is the first. No reminders come after the last day. You can set other days for a person. An empty field means without an end.',
  properties: 'Properties',
  propertiesHint:
    'Groups of people and cases, such as sites and arms, at most 10. Members and cases get one value of each. Lists can be filtered by them, editors and monitors can be limited to some of them, and a survey can be for some of them.',
  property: (n: number) => `Property ${n}`,
  propertyName: 'Name of the property',
  propertyValues: 'Values',
  propertyValuesHint: 'One per line, such as the names of the sites.',
  blinded: 'Blinded',
  blindedHint:
    'Only owners see this property, and surveys for some of its values. Choose it for the arms of a blinded trial.',
  addProperty: 'Add a property',
  removeProperty: 'Take away',
  removePropertyOf: (name: string) => `Take away the property ${name}`,
  locks: 'Locks',
  unlock: 'Permission to unlock',
  unlockBy: { viewers: { label: 'Everyone who may see an item' }, owners: { label: 'Owners only' } },
  signature: 'Locking, unlocking and freezing need a signature',
  signatureHint:
    'People sign in again, and state the meaning of their signature. The activity log keeps the signature.',
  groupLocks: {
    title: 'Locks of groups',
    hint: 'Other rules for the cases and responses of some sites or other groups. They go before those of the study.',
    row: (n: number) => `Rule ${n}`,
    group: 'Group of the rule',
    signature: 'Signature',
    asStudy: 'As in the study',
    signed: 'Needed',
    unsigned: 'Not needed',
    add: 'Add a rule',
    removeOf: (n: number) => `Take away rule ${n}`,
  },
  signTitle: 'Sign the change to locks',
  signAbout:
    'Locks in this study need a signature, and a change to the rules for locks needs one, too. The activity log keeps your signature.',
  save: 'Save settings',
  saved: 'The settings are saved.',
  stale: 'Somebody else has changed these settings in the meantime.',
  staleNow: ({ name, timeZone, startsOn, dates = [], participationDays: days }: Study) =>
    [
      `The settings are now: ${name}, ${timeZone}, from ${formatDate(startsOn)}.`,
      ...(dates.length > 0 ? [`Dates of each person: ${formatList(dates)}.`] : []),
      ...(days === undefined ? [] : [`Each person takes part for ${count(days, 'day')}.`]),
      'Your changes are still in this form.',
    ].join(' '),
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
