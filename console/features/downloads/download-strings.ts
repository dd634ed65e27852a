export const strings = {
  button: 'More files',
  title: 'Save a file for analysis',
  file: 'File',
  files: {
    responses: { label: 'Responses', hint: 'One line for each response that the list shows.' },
    occurrences: {
      label: 'Reminders with answers',
      hint: 'One line for each reminder of each participant, missed ones too, with the answers to it.',
    },
    codebook: {
      label: 'Codebook',
      hint: 'Each item that was ever asked: its wording, its answers and their labels, from when to when.',
    },
  },
  names: {
    responses: (study: string) => `${study}, responses`,
    occurrences: (study: string) => `${study}, reminders with answers`,
    codebook: (study: string) => `${study}, codebook`,
  },
  surveyHint: 'The answers to one survey have columns of their own.',
  answers: 'Answers as',
  answersAs: {
    values: { label: 'Values', hint: 'As the codebook has them, for statistics.' },
    labels: { label: 'Labels', hint: 'The words that the participant read when answering.' },
  },
  choices: 'Several choices',
  choicesIn: {
    joined: { label: 'In one column' },
    columns: {
      label: 'A column for each choice',
      hint: '1 for a choice that was made, 0 for one that was not.',
    },
  },
  save: 'Save as CSV',
} as const;
