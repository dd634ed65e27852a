import { api, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice, Group } from '../../components/fields.tsx';
import { Form, TextField } from '../../components/form.tsx';
import { useStudy } from '../../study-context.ts';
import { CodeField } from './code-dialog.tsx';
import { strings } from './member-strings.ts';

const roles = ['responder', 'editor', 'owner'] as const satisfies Role[];

/** Invites an address, in a role. */
export function InviteDialog({ onClose, onDone }: { onClose: () => void; onDone: (email: string) => void }) {
  const { study } = useStudy();
  async function invite(given: FormData) {
    const email = String(given.get('email')).trim();
    const role = roles.find((one) => one === given.get('role')) ?? 'responder';
    const code = String(given.get('code')).trim();
    await api.investigation[':id'].member.$post({
      param: { id: study.identifier },
      json: { email, role, ...(code && { code }) },
    });
    onDone(email);
  }
  return (
    <Dialog title={strings.inviteTitle} onClose={onClose}>
      <Form
        submit={strings.inviteSubmit}
        onSubmit={invite}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      >
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
      </Form>
    </Dialog>
  );
}
