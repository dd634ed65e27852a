import { type AnswerOf, api } from '../../api.ts';

export const compliance = api.investigation[':id'].compliance;
export type Page = AnswerOf<typeof compliance.$get>;
export type Participant = Page['participants'][number];
export type Attention = Participant['attention'][number];
export type Days = AnswerOf<typeof compliance.daily.$get>;
export type Counts = Page['totals'];

/** In the order of their next steps. */
export const attentions: readonly Attention[] = [
  'unreachable',
  'date-missing',
  'silent',
  'paused',
  'never-downloaded',
];

export const isAttention = (text: string | undefined): text is Attention =>
  attentions.some((reason) => reason === text);

/** Due reminders that were never sent: failed, or skipped for any reason. */
export const notSent = ({ failed, skipped }: Counts): number =>
  Object.values(skipped).reduce((sum, n) => sum + n, failed);
