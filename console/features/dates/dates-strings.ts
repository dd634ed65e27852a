import { count, formatDate, formatNumber } from '../../format.ts';

interface Time {
  from?: string | undefined;
  until?: string | null | undefined;
}

export const strings = {
  title: 'Dates and time in the study',
  noDate: 'Not known',
  time: 'Time in the study',
  timeText: ({ from, until }: Time) => {
    if (from && until) return `${formatDate(from)} to ${formatDate(until)}`;
    if (from) return `From ${formatDate(from)}, without an end`;
    return until ? `Until ${formatDate(until)}` : 'Without an end';
  },
  states: { before: 'Not begun', in: 'Taking part', after: 'Over' },
  filter: 'Time in the study',
  anyTime: 'All',
  dateOf: (name: string, date: string) => `${name}: ${formatDate(date)}`,
  none: 'None',

  propertyOf: (name: string, value: string) => `${name}: ${value}`,
  properties: 'Properties',
  propertiesHint: 'Reminders of surveys for other groups end, and those of surveys for the new group begin.',
  editProperties: 'Change properties',
  editPropertiesOf: (name: string) => `Change the properties of ${name}`,
  propertiesTitle: (name: string) => `Properties of ${name}`,
  propertiesSaved: 'The properties are saved.',
  propertiesUnchanged: 'Nothing changes: the properties are already these.',

  edit: 'Change dates and time',
  editTitle: (name: string) => `Dates and time of ${name}`,
  dates: 'Dates',
  noNames: 'The study has no dates of its own yet. Owners name them in the settings of the study.',
  from: 'First day',
  until: 'Last day',
  participation: 'Time in the study',
  participationHint: (days: number | undefined) =>
    days === undefined
      ? 'Both days are included, by the clock of the person. Empty fields mean from joining, and without an end.'
      : `Both days are included, by the clock of the person. Empty fields mean from joining, and for ${count(days, 'day')}, as in the settings of the study.`,
  show: 'Show what moves',
  saved: 'The dates and the time are saved.',
  unchanged: 'Nothing changes: the dates and the time are already these.',
  stays: 'No reminders move.',
  moves: (n: number) => `Reminders of ${count(n, 'survey')} move.`,
  counting: (done: number, total: number) =>
    `Looked at ${formatNumber(done)} of ${count(total, 'person', 'people')}`,
  effect: (zone: string) => `The next reminders, before and after the change, by the study’s zone: ${zone}`,
  person: 'Person',
  survey: 'Survey',
  before: 'Until now',
  after: 'From now on',
  noReminders: 'No reminders',
  showAll: (n: number) => `Show all ${formatNumber(n)} rows`,

  ofCodes: 'Dates and time of the people who use these codes',

  fromTable: 'Dates from a table',
} as const;
