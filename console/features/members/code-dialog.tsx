import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { strings } from './member-strings.ts';

/** Gives a member or an invitation a code, changes the code, or removes it. */
export const CodeDialog = ({
  name,
  code = '',
  onClose,
  onSave,
}: {
  name: string;
  code?: string | undefined;
  onClose: () => void;
  onSave: (code: string | null) => Promise<unknown>;
}) => (
  <FormDialog
    title={strings.codeTitle(name)}
    onClose={onClose}
    submit={common.save}
    onSubmit={async (form) => onSave(String(form.get('code')).trim() || null)}
  >
    <CodeField code={code} />
  </FormDialog>
);

export const CodeField = ({ code = '' }: { code?: string }) => (
  <TextField
    label={common.code}
    name="code"
    pointer="/code"
    hint={strings.codeHint}
    defaultValue={code}
    maxLength={40}
    spellcheck={false}
  />
);

/** The code of a member or an invitation, as the button that changes the code. */
export const CodeButton = ({
  name,
  code,
  onClick,
}: {
  name: string;
  code: string | undefined;
  onClick: () => void;
}) => (
  <Button kind="quiet" aria-label={strings.codeOf(name, code)} onClick={onClick}>
    {code === undefined ? strings.addCode : <bdi class="code">{code}</bdi>}
  </Button>
);
