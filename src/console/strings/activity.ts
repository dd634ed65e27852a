import { count } from '../format.ts';

export const strings = {
  title: 'Activity',
  about: 'Who did what in this study, newest first. Every entry is chained to the one before it.',
  caption: 'The activity log of the study',
  at: 'When',
  who: 'Who',
  what: 'What',
  reason: 'Reason',
  emptyTitle: 'Nothing has happened yet',
  emptyAbout:
    'Locks, archivals, deletions and changes of the study, its surveys and its members appear here.',
  items: (cases: number, responses: number) =>
    [cases > 0 && count(cases, 'case'), responses > 0 && count(responses, 'response')]
      .filter(Boolean)
      .join(', '),
  actions: {
    'items.locked': 'Locked',
    'items.unlocked': 'Unlocked',
    'items.archived': 'Archived',
    'items.restored': 'Brought back',
    'items.deleted': 'Deleted',
    'survey.changed': 'Changed a survey',
    'survey.reminders-changed': 'Changed reminders',
    'member.added': 'Added a member',
    'member.removed': 'Removed a member',
    'member.role-changed': 'Changed a role',
    'study.changed': 'Changed the study',
    'study.frozen': 'Froze the study',
    'study.unfrozen': 'Ended the freeze',
    'log.rehashed': 'Hashed the log again',
  } as Record<string, string>,
} as const;
