/** Why an answer that was right when it was given has no place any more. */
export const setAsideReasons = [
  'survey-archived',
  'study-archived',
  'study-deleted',
  'case-archived',
  'case-deleted',
  'case-hidden',
  'left-study',
  'not-in-group',
] as const;
export type SetAsideReason = (typeof setAsideReasons)[number];
