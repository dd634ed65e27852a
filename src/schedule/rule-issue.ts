/** `pointer` is a JSON pointer within the reminders object; `detail` says which value was found and which was expected. */
export interface RuleIssue {
  pointer: string;
  detail: string;
}

export const issueAt = (pointer: string, detail: string): RuleIssue => ({ pointer, detail });
