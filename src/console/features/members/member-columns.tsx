import type { Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/table.tsx';
import type { Member } from './member-changes.ts';
import { strings } from './member-strings.ts';
import { RoleSelect } from './role-select.tsx';

interface Options {
  me: string;
  isOwner: boolean;
  onRole: (member: Member, role: Role) => void;
  onRemove: (member: Member) => void;
}

/** A member, and the viewer's actions. */
export const memberColumns = ({ me, isOwner, onRole, onRemove }: Options): Column<Member>[] => [
  {
    label: strings.name,
    cell: ({ identifier, name }) => (
      <span class="with-avatar">
        <Avatar user={identifier} />
        <span>
          <bdi>{name}</bdi> {identifier === me && <span class="muted">{strings.you}</span>}
        </span>
      </span>
    ),
  },
  {
    label: strings.role,
    cell: (member) => {
      const { role } = member;
      if (!isOwner) return common.roles[role];
      return <RoleSelect name={member.name} role={role} onChoose={(chosen) => onRole(member, chosen)} />;
    },
  },
  {
    label: strings.actions,
    cell: (member) =>
      (isOwner || member.identifier === me) && (
        <Button kind="quiet" icon="close" onClick={() => onRemove(member)}>
          {member.identifier === me ? (
            strings.leave
          ) : (
            <>
              <span aria-hidden="true">{strings.remove}</span>
              <span class="hidden-label">{strings.removeOf(member.name)}</span>
            </>
          )}
        </Button>
      ),
  },
];
