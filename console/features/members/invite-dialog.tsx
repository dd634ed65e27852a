import { api, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Choice, Group, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useStudy } from '../../study-context.ts';
import { CodeField } from './code-dialog.tsx';
import { strings } from './member-strings.ts';

const roles = ['responder', 'monitor', 'editor', 'owner'] as const satisfies Role[];

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
      <Group label={strings.role} pointer="/role">
        {roles.map((role) => (
          <Choice
            key={role}
            type="radio"
            name="role"
            value={role}
            label={common.roles[role]}
            hint={strings.roleHints[role]}
            defaultChecked={role === 'responder'}
          />
        ))}
      </Group>
    </FormDialog>
  );
}
