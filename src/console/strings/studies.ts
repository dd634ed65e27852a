export const strings = {
  title: 'Your studies',
  create: 'New study',
  createTitle: 'Create a study',
  createSubmit: 'Create study',
  emptyTitle: 'You are in no study yet',
  emptyAbout:
    'Create one, and you own it. Or ask the owner of a study to invite the e-mail address that you signed in with.',
  name: 'Name',
  zone: 'Time zone',
  zoneHint: 'Of the study’s calendar. Participants get reminders by their own clocks.',
  startsOn: 'Starts on',
  startsOnHint: 'The first day of the study’s calendar; today if left empty.',
  role: 'Your role',
  starts: 'Starts',
  status: 'Status',
  caption: 'Studies that you belong to',
} as const;
