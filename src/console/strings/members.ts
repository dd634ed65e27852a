export const strings = {
  title: 'Members',
  about: 'Who takes part in the study, and in which role.',
  caption: 'Members of the study',
  name: 'Name',
  role: 'Role',
  empty: 'Nobody takes part yet',
} as const;
