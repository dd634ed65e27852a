import { strings as common } from '../../common-strings.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { type PropertyRule, ruleIn } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './member-strings.ts';

/** The boxes of the part of the study that an editor, a monitor or a program sees, which `scopeIn` reads. */
export function ScopeFields({ scope }: { scope?: PropertyRule | null | undefined }) {
  const open = useStudy().properties.filter(({ blinded }) => !blinded);
  return open.length === 0 ? null : (
    <RuleFields
      label={strings.scope}
      hint={strings.scopeHint}
      properties={open}
      rule={scope}
      pointer="/scope"
    />
  );
}

/** Bounds what an editor or a monitor sees. */
export function ScopeDialog({
  name,
  scope,
  onClose,
  onSave,
}: {
  name: string;
  scope?: PropertyRule | null | undefined;
  onClose: () => void;
  onSave: (scope: PropertyRule | null) => Promise<unknown>;
}) {
  const { properties } = useStudy();
  return (
    <FormDialog
      title={strings.scopeTitle(name)}
      submit={common.save}
      onClose={onClose}
      onSubmit={(form) => onSave(ruleIn(form, properties))}
    >
      <ScopeFields scope={scope} />
    </FormDialog>
  );
}
