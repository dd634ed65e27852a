export const strings = {
  title: 'Sign in to Fieldbell',
  about: 'Lock research data, and see that reminders arrive.',
  signIn: 'Sign in',
  apiDocs: 'For developers: the API of this service',
  signingIn: 'Signing you in',
  again: 'Sign in again',
  ended: 'Your sign-in has ended',
  endedAbout: 'Sign in again in the window that opens. This page stays open and keeps your text.',
  endedLocal:
    'Open a new link in another tab. This page then continues where you left off. This command prints a link:',
  otherPerson: 'Somebody else has signed in there. Sign in with the account that opened this page.',
  doneTitle: 'You are signed in again',
  doneAbout: 'Close this window, and continue in the other one.',
  notConfigured: 'Nobody can sign in here yet',
  notConfiguredAbout:
    'The service does not know which client the console has at the sign-in provider. The operator of the service has to set CONSOLE_CLIENT_ID, as described in the operating guide.',
  localAbout:
    'This service runs in local mode, without a sign-in provider. Open a link that contains a token. This command prints one:',
  localCommand: 'npm run -s token -- demo-owner --console',
  failedTitle: 'The sign-in did not work',
  tryAgain: 'Try again',
  noEndpoint: 'The provider does not name a page for signing in.',
  otherTab: 'This sign-in was started in another tab, or before this tab was closed. Sign in again here.',
  noToken: (audience: string) =>
    `The provider gave no token for the audience “${audience}”. The settings of the provider, or CONSOLE_SCOPE, have to name this audience.`,
  noProvider: (host: string) =>
    `The provider at ${host} cannot be reached, or does not accept requests from this page.`,
  notAllowed: (host: string) =>
    `The provider issues its tokens at ${host}, which this page is not allowed to call. The operator of the service has to add the host to CONSOLE_ORIGINS.`,
  refused: (why: string) => `The provider refused the sign-in: ${why}`,
  failed: (why: string) => `The provider’s answer could not be used: ${why}`,
  signUpTitle: 'Welcome to Fieldbell',
  signUpAbout:
    'This is your first visit. The owners and editors of your studies see your name. If you are one of them, participants see it, too.',
  name: 'Your name',
  zone: 'Your time zone',
  signUp: 'Continue',
} as const;
