import { useState } from 'preact/hooks';
import { api, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { OneOf, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PropertyFields } from '../../components/property-fields.tsx';
import { type Property, propertiesIn, ruleIn } from '../../groups.ts';
import { roles } from '../../roles.ts';
import { useStudy } from '../../study-context.ts';
import { CodeField } from './code-dialog.tsx';
import { strings } from './member-strings.ts';
import { ScopeFields } from './scope-dialog.tsx';

/** The properties, and of an editor or a monitor the scope, that an invitation gives. */
function groupsIn(form: FormData, role: Role, declared: readonly Property[]) {
  const properties = propertiesIn(form, declared);
  const scope = isScoped(role) ? ruleIn(form, declared) : null;
  return { ...(Object.keys(properties).length > 0 && { properties }), ...(scope && { scope }) };
}

const isScoped = (role: Role) => role === 'editor' || role === 'monitor';

/** Invites an address, in a role. */
export function InviteDialog({ onClose, onDone }: { onClose: () => void; onDone: (email: string) => void }) {
  const { study, properties: declared } = useStudy();
  const [role, setRole] = useState<Role>('responder');
  async function invite(form: FormData) {
    const email = String(form.get('email')).trim();
    const code = String(form.get('code')).trim();
    await api.investigation[':id'].member.$post({
      param: { id: study.identifier },
      json: { email, role, ...(code && { code }), ...groupsIn(form, role, declared) },
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
        onChoose={setRole}
      />
      <PropertyFields label={strings.properties} hint={strings.propertiesHint} />
      {isScoped(role) && <ScopeFields />}
    </FormDialog>
  );
}
