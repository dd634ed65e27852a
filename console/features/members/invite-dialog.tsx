import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { OneOf, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { roles } from '../../roles.ts';
import { useStudy } from '../../study-context.ts';
import { CodeField } from './code-dialog.tsx';
import { strings } from './member-strings.ts';

/** Invites an address, in a role. */
export function InviteDialog({ onClose, onDone }: { onClose: () => void; onDone: (email: string) => void }) {
  const { study } = useStudy();
  async function invite(form: FormData) {
    const email = String(form.get('email')).trim();
    const role = roles.find((name) => name === form.get('role')) ?? 'responder';
    const code = String(form.get('code')).trim();
    await api.investigation[':id'].member.$post({
      param: { id: study.identifier },
      json: { email, role, ...(code && { code }) },
    });
    onDone(email);
  }
  return (
    <FormDialog title={strings.inviteTitle} onClose={onClose} submit={strings.inviteSubmit} onSubmit={invite}>
      <TextField
        label={strings.email}
        name="email"
        pointer="/email"
        hint={strings.emailHint}
        inputMode="email"
        spellcheck={false}
        required
      />
      <CodeField />
      <OneOf
        label={strings.role}
        name="role"
        pointer="/role"
        of={roles
          .toReversed()
          .map((role) => [role, { label: common.roles[role], hint: strings.roleHints[role] }] as const)}
        chosen="responder"
      />
    </FormDialog>
  );
}
