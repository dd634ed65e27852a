import { count, formatNumber } from '../../format.ts';

export const strings = {
  title: 'People who need you',
  about:
    'One person after another, each with the cause and the next step. A person whom you mark as done leaves the list for a week.',
  back: 'Overview',
  list: 'People who need you',
  open: (n: number, more: boolean) =>
    `${count(n, 'person needs', 'people need')} you now${more ? '. More people follow when these are done' : ''}.`,
  place: (n: number, of: number) => `${formatNumber(n)} of ${formatNumber(of)}`,
  next: 'Next',
  previous: 'Previous',
  nextKey: 'Next person',
  previousKey: 'Previous person',
  doneKey: 'Mark this person as done',
  done: 'Done',
  isDone: (name: string) => `${name} is marked as done for a week.`,
  aside: (n: number) => `${count(n, 'person is', 'people are')} marked as done.`,
  showAside: 'Bring back everyone',
  nobody: 'Nobody needs you now',
  nobodyAbout: 'People appear here by themselves as soon as they need you.',
  toOverview: 'Go to the overview',
  cause: 'Cause',
  action: 'Next step',
  timeLine: 'Last reminders',
  withFailed: 'Last reminders, and reminders that failed',
  whole: 'Whole timeline',
  message: 'Message to copy',
  copyMessage: 'Copy the message',
  write: 'Write an e-mail',
  subject: (study: string) => `Your participation in “${study}”`,
  reasons: {
    unreachable: 'Unreachable',
    failed: 'A reminder failed',
    silent: 'Silent',
    'never-downloaded': 'Never downloaded',
    'date-missing': 'Date missing',
    paused: 'Paused',
    invitation: 'Invited',
  },
  causes: {
    unreachable: 'None of this person’s phones can receive notifications, so no reminder can reach them.',
    failed: 'A reminder of the last 28 days could not be delivered. The reminders below say why.',
    silent: 'This person did not answer the last three reminders of a survey.',
    'never-downloaded': 'This person has joined, but has not opened a survey yet.',
    'date-missing':
      'Reminders count from a date that this person does not have yet. Nothing comes until somebody enters it.',
    paused: 'This person has paused their reminders.',
    invitation: 'This invitation has not been accepted yet. Invitations expire after 30 days.',
  },
  pausedUntil: 'The pause ends',
  steps: {
    unreachable: [
      'Ask the person to open the app, and to allow notifications in the settings of their phone.',
      'The app then registers the phone again by itself, and the person leaves this list.',
      'A person with a new phone needs a new code or has to sign in again.',
    ],
    failed: [
      'Ask whether the person has a new phone, or has removed the app.',
      'Ask the person to open the app. The app registers the phone again, and the next reminder goes to that phone.',
    ],
    silent: [
      'Ask the person how they are, and whether the reminders come at a good time.',
      'The person can change the time of reminders in the app.',
    ],
    'never-downloaded': [
      'Help the person open the first survey. Some reminders start only when a survey has been opened.',
    ],
    'date-missing': [
      'Find out the date, from the records of the study or from the person.',
      'Enter it on the page of the person, or for many people at once in the list of participants.',
    ],
    paused: [
      'Only the person can end the pause, in the app: Reminders, Pause, End.',
      'If you have agreed on the pause, nothing is wrong. Press Done.',
    ],
    invitation: ['Send the link again. The person has to sign in with the invited address.'],
  },
  messages: {
    unreachable: (study: string) =>
      `Hello,\n\nReminders of the study “${study}” do not reach your phone at the moment. Please open the app once, and allow notifications when the app asks, or in your phone’s settings.\n\nThank you!`,
    failed: (study: string) =>
      `Hello,\n\nA reminder of the study “${study}” could not be delivered to your phone. Please open the app once. If you have a new phone, please tell us. We will then send you a new code.\n\nThank you!`,
    silent: (study: string) =>
      `Hello,\n\nWe have not received an answer from you in the study “${study}” for a while. Do the reminders come at a good time? You can change the time in the app. If anything makes it hard for you to answer, please tell us.\n\nThank you!`,
    'never-downloaded': (study: string) =>
      `Hello,\n\nThank you for taking part in the study “${study}”. Please open the app, and then the first survey. If you have any trouble, please tell us, and we will help you.\n\nThank you!`,
    'date-missing': (study: string) =>
      `Hello,\n\nThe reminders of the study “${study}” depend on a date that we do not have from you yet. Please tell us the date, and the reminders will come on the right days.\n\nThank you!`,
    paused: (study: string) =>
      `Hello,\n\nYou have paused the reminders of the study “${study}”. When you are ready, you can end the pause in the app.\n\nThank you!`,
    invitation: (study: string) =>
      `Hello,\n\nYou are invited to the study “${study}”. Please open the link below, and sign in with the e-mail address that received this message:`,
  },
  openPerson: 'Go to the person',
  openInvitations: 'Go to the invitations',
} as const;
