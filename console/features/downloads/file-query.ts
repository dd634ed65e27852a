/** The files for analysis, which are lists of the service. */
export const files = ['responses', 'occurrences', 'codebook'] as const;
export type File = (typeof files)[number];

interface Query {
  readonly survey?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly [other: string]: string | string[] | undefined;
}

/** The filters of the screen: parameters of each list. Responses are offered where they are listed. */
export interface FileQueries {
  responses?: Query;
  occurrences: Query;
}

/** The filters of a screen that are filters of reminders, too. */
export const occurrencesOf = ({
  from,
  to,
  survey,
  user,
  code,
  property,
}: Query & { user?: string | undefined; code?: string | undefined; property?: string[] }): Query => ({
  ...(from && { from }),
  ...(to && { to }),
  ...(survey && { survey }),
  ...(user && { user }),
  ...(code && { code }),
  ...(property && { property }),
});

export interface Choice {
  file: File;
  survey: string;
  from: string;
  to: string;
  hasLabels: boolean;
  hasColumns: boolean;
}

/** Answers to reminders stand in the file only if it is of one survey; those of responses always do. */
export const hasAnswers = ({ file, survey }: Pick<Choice, 'file' | 'survey'>): boolean =>
  file === 'responses' || (file === 'occurrences' && survey !== '');

/** Items have columns if the file is of one survey. */
export const hasItems = ({ file, survey }: Pick<Choice, 'file' | 'survey'>): boolean =>
  file !== 'codebook' && survey !== '';

/** The parameters of the list. The fields of the dialog have taken the place of the screen's survey and dates. */
export function queryOf(choice: Choice, queries: FileQueries): Query {
  const { file, survey, from, to, hasLabels, hasColumns } = choice;
  if (file === 'codebook') return {};
  const { survey: _survey, from: _from, to: _to, ...filters } = queries[file] ?? {};
  return {
    ...filters,
    ...(survey && { survey }),
    ...(file === 'occurrences' && { ...(from && { from }), ...(to && { to }) }),
    ...(hasLabels && hasAnswers(choice) && { labels: 'true' }),
    ...(hasColumns && hasItems(choice) && { choices: 'columns' }),
  };
}
