import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { newIdentifier } from '../../../client/client.ts';
import { api, ifMatch, isProblem, type Revised } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Choice, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PropertyFields } from '../../components/property-fields.tsx';
import { useToast } from '../../components/toast.tsx';
import { changedIn, patchOf, propertiesIn } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import type { Case } from './item-kinds.ts';
import { strings } from './item-strings.ts';

const { newCase } = strings;

const contentOf = (form: FormData) => ({
  label: String(form.get('label')).trim(),
  hidden: form.has('hidden'),
});

/** Creates a case, and opens its page. */
export function NewCaseDialog({ onClose }: { onClose: () => void }) {
  const { study, properties, screenPath, can } = useStudy();
  const { route } = useLocation();
  const toast = useToast();
  // One identifier per form, so that a second try after a lost answer makes no second case.
  const [identifier] = useState(() => newIdentifier());
  async function create(form: FormData) {
    const content = contentOf(form);
    const given = propertiesIn(form, properties);
    await api.investigation[':id'].case.$post({
      param: { id: study.identifier },
      json: { identifier, ...content, ...(Object.keys(given).length > 0 && { properties: given }) },
    });
    onClose();
    toast({ text: newCase.created(content.label) });
    route(screenPath(`/data/cases/${identifier}`));
  }
  return (
    <FormDialog title={newCase.title} onClose={onClose} submit={newCase.submit} onSubmit={create}>
      <CaseFields label="" hidden={false} />
      {can('edit') && <PropertyFields label={newCase.properties} hint={newCase.propertiesHint} />}
    </FormDialog>
  );
}

/** Changes the label of a case, and for owners and editors whether participants see it. */
export function CaseDialog({
  record: { value, etag },
  onClose,
  onChanged,
}: {
  record: Revised<Case>;
  onClose: () => void;
  /** Called after a refusal too, since the page was out of date. */
  onChanged: () => void;
}) {
  const { properties, can } = useStudy();
  const toast = useToast();
  const [opened] = useState(etag);
  async function save(form: FormData) {
    const { label, hidden } = contentOf(form);
    const moved = patchOf(value.properties, changedIn(form, value.properties, properties));
    const json = {
      label,
      ...(hidden !== value.hidden && { hidden }),
      ...(moved && { properties: moved }),
    };
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
    <FormDialog title={newCase.editTitle} onClose={onClose} submit={common.save} onSubmit={save}>
      {opened !== etag && (
        <p class="note warn" role="status" dir="auto">
          {newCase.meanwhile(value.label)}
        </p>
      )}
      <CaseFields label={value.label} hidden={value.hidden} />
      {can('edit') && (
        <PropertyFields
          label={newCase.properties}
          hint={newCase.propertiesHint}
          properties={value.properties ?? {}}
        />
      )}
    </FormDialog>
  );
}

function CaseFields({ label, hidden }: Pick<Case, 'label' | 'hidden'>) {
  const { can } = useStudy();
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
      {can('edit') ? (
        <Choice name="hidden" label={newCase.hide} hint={newCase.hideHint} defaultChecked={hidden} />
      ) : (
        hidden && <input type="hidden" name="hidden" value="on" />
      )}
    </>
  );
}
