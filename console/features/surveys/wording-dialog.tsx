import { api, read, type Survey } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import type { Question } from '../../names.ts';
import { type CountedChange, concerning, wordingChanges } from './wording-changes.ts';
import { strings } from './wording-strings.ts';

/** The question before the wording of given answers changes. */
export interface WordingQuestion {
  changes: readonly CountedChange[];
  /** False: more answers are concerned than were counted. */
  isComplete: boolean;
  hasLocked: boolean;
}

/** The changes of a survey's items that concern answers, with the number of these; undefined if none do. */
export async function readConcerned(
  study: string,
  { identifier: survey, items: before }: Survey,
  after: readonly Question[],
): Promise<WordingQuestion | undefined> {
  const changes = wordingChanges(before, after);
  if (changes.length === 0) return;
  const [counts, locked] = await Promise.all([
    read(api.survey[':id']['answer-counts'].$get({ param: { id: survey } })),
    read(
      api.investigation[':id'].responses.$get({
        param: { id: study },
        query: { survey, status: 'all', limit: '1', locked: 'true' },
      }),
    ),
  ]);
  const concerned = concerning(changes, before, counts);
  if (concerned.length === 0) return;
  return { changes: concerned, isComplete: counts.complete, hasLocked: locked.responses.length > 0 };
}

/** Says which wordings of given answers change, and of how many, before they do. */
export const WordingDialog = ({
  changes,
  isComplete,
  hasLocked,
  onClose,
  onSure,
}: WordingQuestion & {
  onClose: () => void;
  onSure: () => Promise<unknown>;
}) => (
  <FormDialog
    title={strings.title}
    onClose={onClose}
    cancel={strings.back}
    submit={strings.submit}
    onSubmit={onSure}
  >
    <p>{strings.about}</p>
    <ul>
      {changes.map((change) => (
        <li key={JSON.stringify(change)} dir="auto">
          {strings.change(change, isComplete)}
        </li>
      ))}
    </ul>
    {hasLocked && <p class="note warn">{strings.locked}</p>}
    <p class="muted">{strings.advice}</p>
  </FormDialog>
);
