import type { Entered } from './answers.ts';
import { readKept } from './store.ts';

/** The thing that a form answers: a reminder of a survey, or a survey that has none. */
export interface Form {
  survey: string;
  notification?: string;
}

/** The answers that somebody has entered so far. They survive a closed page. */
export interface Draft extends Entered {
  /** When they were first given, and the distance of the clocks then: answers that are changed and sent again. */
  at?: string;
  ahead?: number;
  /** The answers in the outbox that these take the place of. */
  replaces?: string;
}

/** One name for each occurrence: the form of a reminder is not that of the next. */
export const formKey = ({ survey, notification }: Form): string => notification ?? survey;

export const draftKey = (form: Form): string => `draft:${formKey(form)}`;

export const readDraft = async (form: Form): Promise<Draft> => ({
  items: {},
  chosen: {},
  ...(await readKept<Partial<Draft>>(draftKey(form))),
});
