import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { newIdentifier } from '../../../client/client.ts';
import { api, ifMatch, isProblem, type Revised } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice } from '../../components/fields.tsx';
import { Form, TextField } from '../../components/form.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import type { Case } from './item-kinds.ts';
import { strings } from './item-strings.ts';

const { newCase } = strings;

const contentOf = (given: FormData) => ({
  label: String(given.get('label')).trim(),
  hidden: given.has('hidden'),
});

/** Creates a case, and opens its page. */
export function NewCaseDialog({ onClose }: { onClose: () => void }) {
  const { study, screenPath } = useStudy();
  const { route } = useLocation();
  const toast = useToast();
  // One identifier per form, so that a second try after a lost answer makes no second case.
  const [identifier] = useState(() => newIdentifier());
  async function create(given: FormData) {
    const content = contentOf(given);
    await api.investigation[':id'].case.$post({
      param: { id: study.identifier },
      json: { identifier, ...content },
    });
    onClose();
    toast({ text: newCase.created(content.label) });
    route(screenPath(`/data/cases/${identifier}`));
  }
  return (
    <Dialog title={newCase.title} onClose={onClose}>
      <Form
        submit={newCase.submit}
        onSubmit={create}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      >
        <CaseFields label="" hidden={false} />
      </Form>
    </Dialog>
  );
}

/** Changes the label of a case, and for owners and editors whether participants see it. */
export function CaseDialog({
  found: { value, etag },
  onClose,
  onChanged,
}: {
  found: Revised<Case>;
  onClose: () => void;
  /** Called after a refusal too, since the page was out of date. */
  onChanged: () => void;
}) {
  const toast = useToast();
  const [opened] = useState(etag);
  async function save(given: FormData) {
    const { label, hidden } = contentOf(given);
    const json = { label, ...(hidden !== value.hidden && { hidden }) };
    try {
      await api.case[':id'].$patch({ param: { id: value.identifier }, json }, ifMatch(etag));
    } catch (error) {
      if (isProblem(error, 'revision.stale', 'item.locked', 'item.archived')) onChanged();
      throw error;
    }
    onClose();
    onChanged();
    toast({ text: newCase.saved });
  }
  return (
    <Dialog title={newCase.editTitle} onClose={onClose}>
      {opened !== etag && (
        <p class="note warn" role="status" dir="auto">
          {newCase.meanwhile(value.label)}
        </p>
      )}
      <Form submit={common.save} onSubmit={save} beside={<Button onClick={onClose}>{common.cancel}</Button>}>
        <CaseFields label={value.label} hidden={value.hidden} />
      </Form>
    </Dialog>
  );
}

function CaseFields({ label, hidden }: Pick<Case, 'label' | 'hidden'>) {
  const { study } = useStudy();
  return (
    <>
      <TextField
        label={strings.label}
        name="label"
        pointer="/label"
        hint={newCase.labelHint}
        maxLength={500}
        dir="auto"
        required
        defaultValue={label}
      />
      {study.role === 'responder' ? (
        hidden && <input type="hidden" name="hidden" value="on" />
      ) : (
        <Choice name="hidden" label={newCase.hide} hint={newCase.hideHint} defaultChecked={hidden} />
      )}
    </>
  );
}
