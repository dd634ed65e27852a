export const strings = {
  by: (who: string, when: string) => `${who} changed this survey ${when}.`,
  somebody: 'Somebody changed this survey meanwhile.',
  load: 'Show theirs, and drop mine',
  keep: 'Go on with mine',
} as const;
