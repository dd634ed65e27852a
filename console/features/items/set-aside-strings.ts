import { count } from '../../format.ts';

export const strings = {
  title: 'Answers set aside',
  about:
    'These answers were right when participants gave them, and have no place any more. Put each into a case, or discard it. The participants know that their answers wait for you.',
  back: 'Data',
  waiting: (n: number, more: boolean) =>
    `${count(n, 'answer', 'answers')}${more ? ' and more' : ''} set aside, because ${n === 1 && !more ? 'it has' : 'they have'} no place any more.`,
  look: 'Look at them',
  file: (study: string) => `${study}, answers set aside`,
  caption: 'Answers that have no place any more',
  person: 'By',
  survey: 'Survey',
  why: 'Reason',
  given: 'Given',
  actions: 'Next step',
  none: 'No answer is set aside',
  noneAbout:
    'Answers appear here when they arrive late from a phone without internet, and their case, survey or study was closed meanwhile.',
  reasons: {
    'survey-archived': 'The survey was archived after this answer was given.',
    'study-archived': 'The study was archived after this answer was given.',
    'study-deleted': 'The study was deleted for a time after this answer was given.',
    'case-archived': 'The case was archived after this answer was given.',
    'case-deleted': 'The case was deleted after this answer was given.',
    'case-hidden': 'The case was hidden from participants after this answer was given.',
    'left-study': 'The person left the study, or was removed, after this answer was given.',
    'not-in-group': 'The survey is for others, and was for this person before.',
  },
  place: 'Place…',
  placeOf: (name: string, given: string) => `Place the answer of ${name}, given ${given}`,
  placeTitle: (name: string) => `Place the answer of ${name}`,
  placeSubmit: 'Place the answer',
  into: 'Case',
  intoHint: 'The answer becomes a response of this case. It keeps its person and its time.',
  newCase: 'A new case',
  newLabel: 'Label of the new case',
  moreCases: 'Only the first thousand cases are listed.',
  placed: 'The answer is a response now.',
  discard: 'Discard…',
  discardOf: (name: string, given: string) => `Discard the answer of ${name}, given ${given}`,
  discardTitle: (name: string) => `Discard the answer of ${name}?`,
  discardAbout:
    'The answer is deleted at once, and nobody can bring it back. The activity log keeps your name and the reason.',
  discardReason: 'Reason (optional)',
  discardSubmit: 'Discard the answer',
  discarded: 'The answer is discarded.',
} as const;
