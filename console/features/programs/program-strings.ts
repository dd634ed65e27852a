export const strings = {
  title: 'Programs',
  about:
    'With a token, a program reads this study: a script in R or Python, or a nightly copy. The program sees what a monitor sees, and changes nothing. Only owners make and end tokens.',
  caption: 'Tokens for programs',
  make: 'Make a token',
  empty: 'No program reads this study',
  emptyAbout: 'Make a token if a program of yours analyses the data or keeps a copy of the study.',
  noKey: 'This service has no tokens for programs',
  noKeyAbout: 'The operator of the service has to set PARTICIPANT_SIGNING_KEY.',

  label: 'Label',
  labelHint: 'The label stands in the list of members, in the activity log and in the list of readers.',
  lastDay: 'Last day',
  lastDayHint: 'The token works until the end of this day, at most 400 days from now.',
  madeBy: 'Made by',
  madeOn: 'Made on',
  worksUntil: 'Works until',
  lastUsed: 'Last used',
  neverUsed: 'Not used yet',
  state: 'State',
  states: { active: 'Active', expired: 'Expired', ended: 'Ended' },
  endedAbout: 'The person who made the token is no longer an owner.',
  actions: 'Actions',

  signInNeeded: 'A token needs a sign-in of the last five minutes.',
  signIn: 'Sign in again',

  tokenTitle: (label: string) => `The token of ${label}`,
  tokenAbout:
    'The program sends the token with each request. The token is shown only once, so copy the token now. Keep the token as safe as a password: everybody who has the token reads the whole study.',
  token: 'Token',
  tokenDone: 'I have copied the token',

  end: 'End',
  endOf: (label: string) => `End the token of ${label}`,
  endTitle: (label: string) => `End the token of ${label}?`,
  endAbout:
    'The program cannot read the study any more, at the latest after a minute. An ended token never works again.',
  ended: (label: string) => `The token of ${label} is ended.`,
} as const;
