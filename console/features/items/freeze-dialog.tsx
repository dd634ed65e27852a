import { mutate } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import type { Statement } from './item-changes.ts';
import { strings } from './item-strings.ts';

export const freezeDraft = 'freeze';

/** Freezes the study, or ends the freeze; for owners. */
export function FreezeDialog({
  statement,
  onClose,
}: {
  statement?: Statement | undefined;
  onClose: () => void;
}) {
  const { study } = useStudy();
  const toast = useToast();
  const { freeze } = strings;
  const ends = study.frozenAt !== undefined;

  async function submit({ reason = '', ...signed }: Statement) {
    const json = { status: ends ? 'active' : 'frozen', reason, ...signed } as const;
    await api.investigation[':id'].freeze.$post({ param: { id: study.identifier }, json });
    onClose();
    mutate(['study', study.identifier]);
    toast({ text: ends ? freeze.ended : freeze.done });
  }

  return (
    <Dialog title={ends ? freeze.endTitle : freeze.title} onClose={onClose}>
      <p>{ends ? freeze.endAbout : freeze.about}</p>
      <StatementForm
        submit={ends ? freeze.endButton : freeze.button}
        statement={statement}
        isReasonNeeded
        isSigned={study.lockPolicy.signature}
        onSubmit={submit}
        keep={(typed) => keepDraft<Statement>(freezeDraft, typed)}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      />
    </Dialog>
  );
}
