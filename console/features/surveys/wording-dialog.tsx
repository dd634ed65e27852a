import { api, read } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import type { WordingChange } from './wording-changes.ts';
import { strings } from './wording-strings.ts';

const route = api.investigation[':id'].responses;

/** Whether a survey has answers, and locked ones. */
export async function readAnswered(id: string, survey: string) {
  const find = (locked?: 'true') =>
    read(route.$get({ param: { id }, query: { survey, status: 'all', limit: '1', locked } }));
  const [any, locked] = await Promise.all([find(), find('true')]);
  return { hasAnswers: any.responses.length > 0, hasLocked: locked.responses.length > 0 };
}

/** Says which wordings of a survey with answers change, before they do. */
export const WordingDialog = ({
  changes,
  hasLocked,
  onClose,
  onSure,
}: {
  changes: readonly WordingChange[];
  hasLocked: boolean;
  onClose: () => void;
  onSure: () => Promise<unknown>;
}) => (
  <FormDialog title={strings.title} onClose={onClose} submit={strings.submit} onSubmit={onSure}>
    <p>{strings.about}</p>
    <ul>
      {changes.map((change) => (
        <li key={JSON.stringify(change)} dir="auto">
          {strings.change(change)}
        </li>
      ))}
    </ul>
    {hasLocked && <p class="note warn">{strings.locked}</p>}
    <p class="muted">{strings.advice}</p>
  </FormDialog>
);
