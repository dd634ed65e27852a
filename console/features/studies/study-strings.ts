import { count } from '../../format.ts';

export const strings = {
  title: 'Your studies',
  create: 'New study',
  createTitle: 'Create a study',
  createSubmit: 'Create study',
  emptyTitle: 'You are not in a study yet',
  emptyAbout:
    'Create a study of your own. Or ask the owner of a study to invite the e-mail address that you signed in with.',
  name: 'Name',
  zone: 'Time zone',
  zoneHint: 'The zone applies to the study’s calendar. Participants get reminders by their own clocks.',
  startsOn: 'Starts on',
  startsOnHint: 'The first day of the study’s calendar. An empty field means today.',
  unlock: 'Who may unlock?',
  unlockHint:
    'A locked answer or case cannot be changed by anybody. Owners can change this rule later, under Settings.',
  unlockBy: {
    viewers: {
      label: 'Everyone who may see an item',
      hint: 'This includes participants: they can unlock their own answers and cases, and then change them.',
    },
    owners: {
      label: 'Owners only',
      hint: 'Editors and participants can still lock, but what is locked stays locked until an owner unlocks it.',
    },
  },
  role: 'Your role',
  participants: 'Participants',
  takePart: (n: number) => count(n, 'takes part', 'take part'),
  needAttention: (n: number) => count(n, 'needs attention', 'need attention'),
  starts: 'Starts',
  status: 'Status',
  caption: 'Studies that you belong to',
  deletedStudies: 'Deleted studies',
  deletedStudiesAbout:
    'Your studies that were deleted in the last 30 days. After 30 days a study is removed permanently.',
  deletedAt: 'Deleted',
  goneOn: 'Can be brought back until',
  actions: 'Actions',
  restore: 'Bring back',
  restoreOf: (name: string) => `Bring back ${name}`,
  restored: (name: string) => `${name} is back, archived as before.`,
  noneDeleted: 'None of your studies was deleted recently',
  noneDeletedAbout:
    'An archived study can be deleted in its settings. For 30 days after the deletion, its owners find the study here.',
} as const;
