import type { Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Options } from '../../components/form.tsx';
import { roles } from '../../roles.ts';
import { strings } from './member-strings.ts';

export const isRole = (text: string | undefined): text is Role => roles.some((name) => name === text);

const Roles = ({ role }: { role: Role | undefined }) => (
  <>
    <Options of={roles.map((name) => [name, common.roles[name]])} chosen={role} />
  </>
);

/** A person's role, until it is changed. */
export const RoleSelect = ({
  name,
  role,
  onChoose,
}: {
  name: string;
  role: Role;
  onChoose: (role: Role) => void;
}) => (
  <select
    class="role"
    aria-label={strings.roleOf(name)}
    value={role}
    onChange={(event) => {
      const { value } = event.currentTarget;
      event.currentTarget.value = role;
      if (isRole(value)) onChoose(value);
    }}
  >
    <Roles role={role} />
  </select>
);

/** Filters the list by role. */
export const RoleFilter = ({
  role,
  onChange,
}: {
  role: Role | undefined;
  onChange: (role: string) => void;
}) => (
  <label>
    <span>{strings.show}</span>
    <select value={role ?? ''} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{strings.everyone}</option>
      <Roles role={role} />
    </select>
  </label>
);
