import { formatList } from '../../format.ts';

export const strings = {
  which: 'Responses that lead to a reminder',
  survey: 'Responses to',
  choose: 'Choose a survey',
  each: 'Each response of a person',
  eachHint: 'A person who responds twice is reminded twice.',
  first: 'Only a person’s first response',
  conditions: 'Only responses with certain answers',
  addCondition: 'Add a condition',
  condition: (n: number) => `Condition ${n}`,
  removeCondition: (n: number) => `Remove condition ${n}`,
  item: 'Item',
  chooseItem: 'Choose an item',
  answers: 'The answer is one of',
  answersHint: 'One answer per line, exactly as it is stored.',
  incomplete: 'Choose a survey. Each condition needs an item of its own and at least one answer.',
  delay: 'How long after the response',
  after: 'Time after the response',
  afterHint:
    'From 0 minutes to 30 days. Surveys that trigger each other in a circle need at least 5 minutes.',
  unit: 'Unit',
  units: { minutes: 'minutes', hours: 'hours', days: 'days' },
  hasTime: 'Then wait for a time of day',
  time: 'Time of day',
  timeHint: 'The reminder comes when the person’s own clock next shows this time.',
  edits:
    'A planned reminder depends on its response: if the response is deleted, or no longer meets the conditions, the reminder is not sent.',
  answered: (item: string, answers: readonly string[]) => `${item} is ${formatList(answers)}`,
} as const;
