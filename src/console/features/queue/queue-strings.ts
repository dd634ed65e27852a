import { count, formatNumber } from '../../format.ts';

export const strings = {
  title: 'Work through',
  about: 'People who need you, one after another. A person who is done leaves the list for a week.',
  back: 'Overview',
  list: 'People who wait',
  open: (n: number, more: boolean) =>
    `${count(n, 'person waits', 'people wait')}${more ? '; others follow' : ''}.`,
  place: (n: number, of: number) => `${formatNumber(n)} of ${formatNumber(of)}`,
  next: 'Next',
  previous: 'Previous',
  nextKey: 'Next person',
  previousKey: 'Previous person',
  doneKey: 'Done with this person',
  done: 'Done',
  isDone: (name: string) => `${name} is done for a week.`,
  aside: (n: number) => `${count(n, 'person is', 'people are')} done for now.`,
  showAside: 'Show them again',
  nobody: 'Nobody is left',
  nobodyAbout: 'People who need you appear here by themselves.',
  toOverview: 'To the overview',
  cause: 'Cause',
  action: 'Next step',
  timeLine: 'Last reminders',
  whole: 'Whole time line',
  message: 'Message to copy',
  copyMessage: 'Copy the message',
  write: 'Write e-mail',
  subject: (study: string) => `Your part in “${study}”`,
  reasons: {
    unreachable: 'Unreachable',
    failed: 'A reminder failed',
    silent: 'Silent',
    'never-downloaded': 'Never downloaded',
    paused: 'Paused',
    invitation: 'Invited',
  },
  causes: {
    unreachable: 'No phone of this person takes notifications, so no reminder can reach them.',
    failed: 'The push service did not take a reminder in the last 28 days. The time line below says why.',
    silent: 'This person did not answer the last three reminders of a survey.',
    'never-downloaded': 'This person has joined, but has not opened a survey yet.',
    paused: 'This person has paused their reminders.',
    invitation: 'This invitation was not accepted yet. Invitations expire after 30 days.',
  },
  pausedUntil: 'The pause ends',
  steps: {
    unreachable: [
      'Ask them to open the app, and to allow notifications in the settings of their phone.',
      'The app registers the phone anew by itself. The person then leaves this list.',
      'A person with a new phone needs a new code, or signs in again.',
    ],
    failed: [
      'Ask whether they have a new phone, or have removed the app.',
      'Opening the app registers the phone anew. The next reminder goes there.',
    ],
    silent: [
      'Ask how they are, and whether the reminders come at a good time.',
      'The person can move the time of the reminders in the app.',
    ],
    'never-downloaded': ['Help them to open the first survey: reminders may begin with it.'],
    paused: [
      'Only the person can end the pause, in the app: Reminders, Pause, End.',
      'Nothing is wrong if the pause was agreed upon. Press Done.',
    ],
    invitation: ['Send the link once more. The person signs in with the invited address.'],
  },
  messages: {
    unreachable: (study: string) =>
      `Hello,\n\nreminders of the study “${study}” do not reach your phone at the moment. Please open the app once, and allow notifications when it asks, or in your phone’s settings.\n\nThank you!`,
    failed: (study: string) =>
      `Hello,\n\na reminder of the study “${study}” could not be delivered to your phone. Please open the app once. If you have a new phone, tell us, and we send you a new code.\n\nThank you!`,
    silent: (study: string) =>
      `Hello,\n\nwe have not heard from you for a while in the study “${study}”. Do the reminders come at a good time? You can change the time in the app. If anything is in the way, tell us.\n\nThank you!`,
    'never-downloaded': (study: string) =>
      `Hello,\n\nthank you for taking part in the study “${study}”. Please open the app, and the first survey in it. If that does not work, tell us, and we help.\n\nThank you!`,
    paused: (study: string) =>
      `Hello,\n\nyou have paused the reminders of the study “${study}”. Whenever you are ready, you can end the pause in the app.\n\nThank you!`,
    invitation: (study: string) =>
      `Hello,\n\nyou are invited to the study “${study}”. Open this link, and sign in with this address:`,
  },
  openPerson: 'Open the person',
  openInvitations: 'Open the invitations',
} as const;
