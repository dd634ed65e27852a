import { createHash } from 'node:crypto';

const name = 'Sleep and shift work';
const oneToFive = { kind: 'scale', min: 1, max: 5 } as const;
const ends = (first: string, last: string) => [
  { value: '1', label: first },
  { value: '5', label: last },
];

const notification = { subject: 'Sleep diary', body: 'How did you sleep? Four short questions, one minute.' };
const translations = {
  fr: { subject: 'Journal du sommeil', body: 'Avez-vous bien dormi ? Quatre questions, une minute.' },
  de: { subject: 'Schlaftagebuch', body: 'Wie haben Sie geschlafen? Vier kurze Fragen, eine Minute.' },
};

/** The diary's reminders, at a time of each day. */
export const diaryReminders = (recurrence: string) => ({
  type: 'rolling',
  recurrence,
  ends: null,
  notification,
  translations,
});

/** The study that `npm start` sets up. The people's subjects work with `npm run token` too. */
export const demoStudy = {
  name,
  /** Identifiers of the study and of the participant's phone. */
  timeZone: 'Europe/Paris',
  people: {
    owner: { subject: 'demo-owner', email: 'ada.lindqvist@example.org', name: 'Ada Lindqvist' },
    /** He is not disturbed at night. */
    editor: {
      subject: 'demo-editor',
      email: 'bruno.reyes@example.org',
      name: 'Bruno Reyes',
      quietHours: { from: '22:00', to: '07:00' },
    },
    /** She sees one site. */
    monitor: { subject: 'demo-monitor', email: 'mona.weber@example.org', name: 'Mona Weber' },
    responder: { subject: 'demo-participant', email: 'chidi.okafor@example.org', name: 'Chidi Okafor' },
  },
  properties: [
    { name: 'site', values: ['Lyon', 'Paris'] },
    { name: 'arm', values: ['glasses', 'usual light'] },
  ],
  /** The part of the study that the monitor sees. */
  scope: { site: ['Lyon'] },
  /** Of the first participant, and of those who join by the link. */
  group: { site: 'Lyon', arm: 'glasses' },
  enrolment: {
    label: 'Everybody with the link',
    uses: 100_000,
    properties: { site: 'Lyon', arm: 'glasses' },
  },
  cases: [
    { label: 'Ward 4, night shift', properties: { site: 'Lyon' } },
    { label: 'Ward 7, early shift', properties: { site: 'Lyon' } },
    { label: 'Ambulance, rotating shifts', properties: { site: 'Paris' } },
  ],
  surveys: {
    diary: {
      name: 'Sleep diary',
      items: [
        { identifier: 'bedtime', label: 'When did you go to bed?', answer: { kind: 'time' } },
        {
          identifier: 'asleep',
          label: 'How many hours did you sleep?',
          answer: { kind: 'number', min: 0, max: 24 },
        },
        {
          identifier: 'rested',
          label: 'How rested do you feel?',
          answer: { ...oneToFive, options: ends('Not at all', 'Completely') },
        },
        {
          identifier: 'kept',
          label: 'What kept you awake?',
          answer: {
            kind: 'choices',
            options: [
              { value: 'noise', label: 'Noise' },
              { value: 'light', label: 'Daylight' },
              { value: 'worries', label: 'Worries' },
            ],
          },
        },
        { identifier: 'notes', label: 'Anything else about this sleep?' },
      ],
    },
    /** Reminds at unexpected moments. */
    moments: {
      name: 'Tired right now?',
      items: [
        {
          identifier: 'tired',
          label: 'How tired are you?',
          answer: { ...oneToFive, options: ends('Wide awake', 'Falling asleep') },
        },
      ],
      reminders: {
        type: 'rolling',
        recurrence: '* * * * *',
        windows: [
          { from: '09:00', to: '13:00', count: 2 },
          { from: '15:00', to: '21:00', count: 2 },
        ],
        minGap: 60,
        expiresAfter: 30,
        notification: { subject: 'Right now', body: 'How tired are you? One question.' },
      },
    },
    /** Nudges until it is answered. */
    evenings: {
      name: 'Before bed',
      items: [
        {
          identifier: 'coffee',
          label: 'How many cups of coffee did you have?',
          answer: { kind: 'number', min: 0, max: 30 },
        },
      ],
      reminders: {
        type: 'rolling',
        recurrence: '30 21 * * *',
        expiresAfter: 120,
        followUps: { every: 30, max: 2, stop: 'answered' },
        notification: { subject: 'Before bed', body: 'How much coffee was it today?' },
        translations: { fr: { subject: 'Avant le coucher', body: 'Combien de cafés aujourd’hui ?' } },
      },
    },
    /** For one arm. */
    glasses: {
      name: 'Light glasses',
      for: { arm: ['glasses'] },
      items: [
        {
          identifier: 'worn',
          label: 'For how many hours did you wear the glasses today?',
          answer: { kind: 'number', min: 0, max: 24 },
        },
      ],
      reminders: {
        type: 'rolling',
        recurrence: '0 18 * * *',
        notification: { subject: 'Light glasses', body: 'How long did you wear them today?' },
        translations: {
          fr: { subject: 'Lunettes de lumière', body: 'Combien de temps les avez-vous portées ?' },
        },
      },
    },
    /** Days count from each participant's download. */
    weeks: {
      name: 'How is it going?',
      items: [
        {
          identifier: 'burden',
          label: 'Is the diary too much?',
          answer: { ...oneToFive, options: ends('Not at all', 'Far too much') },
        },
      ],
      reminders: {
        type: 'fixed',
        recurrence: '0 10 7,14,28 * *',
        notification: { subject: 'How is it going?', body: 'One question about the study itself.' },
        translations: { fr: { subject: 'Comment ça va ?', body: 'Une question sur l’étude elle-même.' } },
      },
    },
  },
  /** Two mornings. An empty answer is none. */
  answers: [
    { bedtime: '23:10', asleep: '7.5', rested: '4', kept: '', notes: '' },
    {
      bedtime: '08:40',
      asleep: '5',
      rested: '2',
      kept: 'noise light',
      notes: 'Building works next door from 11 on.',
    },
  ],
  /** As long as a real token, and the same at each start. */
  phoneToken: `demo-phone-${createHash('sha512').update(name).digest('base64url')}`,
} as const;
