/** `pointer` is a JSON pointer within the reminders object; `detail` says what was found and what was expected. */
export interface RuleIssue {
  pointer: string;
  detail: string;
}
