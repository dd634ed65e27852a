export const strings = {
  title: 'Sign in to Fieldbell',
  about: 'Lock research data, and see that reminders arrive.',
  signIn: 'Sign in',
  signingIn: 'Signing you in',
  again: 'Sign in again',
  ended: 'Your sign-in has ended',
  endedAbout: 'Sign in again to go on. You come back to this page; what you have not saved here is lost.',
  endedLocal: 'Open a new link to go on, and you are signed in again:',
  stay: 'Stay on this page',
  notConfigured: 'Nobody can sign in here yet',
  notConfiguredAbout:
    'Whoever runs this service has not told it what the console is called at the sign-in provider. Set CONSOLE_CLIENT_ID, as the operating guide says.',
  localAbout: 'This service runs in local mode, without a sign-in provider. Open a link that brings a token:',
  localCommand: 'npm run -s token -- demo-owner --console',
  failedTitle: 'The sign-in did not work',
  tryAgain: 'Try again',
  noEndpoint: 'The provider names no page to sign in at.',
  otherTab: 'This sign-in was begun in another tab, or before this tab was closed. Sign in again here.',
  noToken: (audience: string) =>
    `The provider gave no token for “${audience}”. Its settings, or CONSOLE_SCOPE, have to name that audience.`,
  noProvider: (host: string) =>
    `The provider at ${host} cannot be reached, or does not allow this page to ask it.`,
  notAllowed: (host: string) =>
    `The provider gives out its tokens at ${host}, which this page may not call. Add it to CONSOLE_ORIGINS.`,
  refused: (why: string) => `The provider refused: ${why}`,
  failed: (why: string) => `The provider's answer could not be used: ${why}`,
  signUpTitle: 'Welcome to Fieldbell',
  signUpAbout: 'This is your first visit. People who share a study with you see your name.',
  name: 'Your name',
  zone: 'Your time zone',
  signUp: 'Continue',
} as const;
