export const strings = {
  by: (who: string, when: string) => `${who} changed this survey ${when}.`,
  somebody: 'Somebody else has changed this survey in the meantime.',
  load: 'Show their version and discard mine',
  keep: 'Continue with my version',
} as const;
