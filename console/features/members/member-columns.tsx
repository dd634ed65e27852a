import type { Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Avatar, MailLink } from '../../components/person.tsx';
import { propertyColumns } from '../../components/property-fields.tsx';
import { Badge } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { type Property, ruleText } from '../../groups.ts';
import type { Right } from '../../roles.ts';
import { strings as dates } from '../dates/dates-strings.ts';
import { AgreedTo } from '../enrolment/agreed-to.tsx';
import { CodeButton } from './code-dialog.tsx';
import type { Member } from './member-changes.ts';
import { strings } from './member-strings.ts';
import { RoleSelect } from './role-select.tsx';

interface Options {
  me: string;
  can: (right: Right) => boolean;
  onCode: (member: Member) => void;
  onRole: (member: Member, role: Role) => void;
  onRemove: (member: Member) => void;
  /** The properties that the viewer sees, and whether some of them can be changed. */
  properties: readonly Property[];
  onProperties: ((member: Member) => void) | undefined;
  onScope: (member: Member) => void;
}

/** A member, and the viewer's actions. */
export const memberColumns = ({
  me,
  can,
  onCode,
  onRole,
  onRemove,
  properties,
  onProperties,
  onScope,
}: Options): Column<Member>[] => [
  {
    label: strings.name,
    cell: ({ identifier, name, invitedAs, enrolment, agreedTo }) => (
      <span class="with-avatar">
        <Avatar user={identifier} />
        <span>
          <bdi>{name}</bdi> {identifier === me && <span class="muted">{strings.you}</span>}
          {enrolment && <span class="muted">{strings.enrolledBy(enrolment.label)}</span>}
          {agreedTo && <AgreedTo hash={agreedTo} />}
          {invitedAs !== undefined && identifier !== me && <MailLink name={name} address={invitedAs} />}
        </span>
      </span>
    ),
  },
  ...(can('readAll')
    ? [
        {
          label: common.code,
          cell: (member: Member) =>
            can('edit') && !member.program ? (
              <CodeButton name={member.name} code={member.code} onClick={() => onCode(member)} />
            ) : (
              member.code !== undefined && <bdi class="code">{member.code}</bdi>
            ),
        },
      ]
    : []),
  {
    label: strings.role,
    cell: (member) => {
      const { role } = member;
      if (member.program) return <Badge icon="key">{strings.program}</Badge>;
      if (!can('own')) return common.roles[role];
      return <RoleSelect name={member.name} role={role} onChoose={(chosen) => onRole(member, chosen)} />;
    },
  },
  ...propertyColumns<Member>(properties),
  ...(can('own') && properties.some(({ blinded }) => !blinded)
    ? [{ label: strings.scope, cell: (member: Member) => <ScopeButton member={member} onScope={onScope} /> }]
    : []),
  {
    label: strings.actions,
    cell: (member) =>
      !member.program && (
        <span class="row-actions">
          {onProperties && (
            <Button
              kind="quiet"
              icon="pencil"
              aria-label={dates.editPropertiesOf(member.name)}
              onClick={() => onProperties(member)}
            >
              {dates.properties}
            </Button>
          )}
          {(can('own') || member.identifier === me) && (
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
          )}
        </span>
      ),
  },
];

/** Scopes of editors and monitors can be changed; that of a program is of its token. */
function ScopeButton({ member, onScope }: { member: Member; onScope: (member: Member) => void }) {
  const { name, role, scope, program } = member;
  if (role !== 'editor' && role !== 'monitor') return null;
  const text = scope ? common.scopeOnly(ruleText(scope)) : strings.scopeAll;
  if (program) return <bdi>{text}</bdi>;
  return (
    <Button kind="quiet" aria-label={strings.scopeOf(name, text)} onClick={() => onScope(member)}>
      <bdi>{text}</bdi>
    </Button>
  );
}
