import { createHash } from 'node:crypto';

/** Who takes part in the demo study. The subjects are good for `npm run token` too. */
export const PEOPLE = {
  owner: { subject: 'demo-owner', email: 'ada.lindqvist@example.org', name: 'Ada Lindqvist' },
  editor: { subject: 'demo-editor', email: 'bruno.reyes@example.org', name: 'Bruno Reyes' },
  responder: { subject: 'demo-participant', email: 'chidi.okafor@example.org', name: 'Chidi Okafor' },
} as const;

/** Where the study is, and the participant's phone. */
export const TIME_ZONE = 'Europe/Paris';

export const STUDY_NAME = 'Sleep and shift work';

export const CASES = ['Ward 4, night shift', 'Ward 7, early shift', 'Ambulance, rotating shifts'] as const;

export const SURVEY = {
  name: 'Sleep diary',
  items: [
    { identifier: 'bedtime', label: 'When did you go to bed?' },
    { identifier: 'asleep', label: 'How many hours did you sleep?' },
    { identifier: 'rested', label: 'How rested do you feel, from 1 to 5?' },
    { identifier: 'notes', label: 'Anything that kept you awake?' },
  ],
} as const;

/** Two mornings. An empty answer is none. */
export const ANSWERS = [
  { bedtime: '23:10', asleep: '7.5', rested: '4', notes: '' },
  { bedtime: '08:40', asleep: '5', rested: '2', notes: 'Building works next door from 11 on.' },
] as const;

export const NOTIFICATION = {
  subject: 'Sleep diary',
  body: 'How did you sleep? Four short questions, one minute.',
} as const;

/** As long as those that phones get from their platform, and the same at each start. */
export const PHONE_TOKEN = `demo-phone-${createHash('sha512').update(STUDY_NAME).digest('base64url')}`;
