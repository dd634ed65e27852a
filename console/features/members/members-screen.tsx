import { useState } from 'preact/hooks';
import { useAction } from '../../actions.ts';
import { usePages } from '../../answers.ts';
import { api, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { CodeFilter } from '../../components/code-filter.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PropertyFilter, useNoPart, usePart } from '../../components/property-filter.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';
import { changeable } from '../../groups.ts';
import { useQuery } from '../../query.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { DatesDialog } from '../dates/dates-dialog.tsx';
import { strings as dates } from '../dates/dates-strings.ts';
import { CodeDialog } from './code-dialog.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Member, useMemberChanges } from './member-changes.ts';
import { memberColumns } from './member-columns.tsx';
import { strings } from './member-strings.ts';
import { isRole, RoleFilter } from './role-select.tsx';
import { ScopeDialog } from './scope-dialog.tsx';

const route = api.investigation[':id'].members;

/** The question before a member is removed, or the viewer gives up being an owner. */
type Question = { member: Member; role?: Role };

/** The members of the study, their roles, and open invitations. */
export function Members() {
  const { study, id, screenPath, properties, can } = useStudy();
  const me = useUser().identifier;
  const toast = useToast();
  const [error, setError] = useState<unknown>();
  const [inviting, setInviting] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const [coding, setCoding] = useState<Member>();
  const [grouping, setGrouping] = useState<Member>();
  const [scoping, setScoping] = useState<Member>();
  const part = usePart();
  const none = useNoPart();
  const [{ role: roleText, code = '' }, filter] = useQuery();
  const role = isRole(roleText) ? roleText : undefined;
  const list = usePages(
    ['members', id, role, code, part.filter],
    (cursor, options) =>
      route.$get(
        {
          param: { id },
          query: { limit: '50', cursor, ...(role && { role }), ...(code && { code }), ...part.filter },
        },
        options,
      ),
    part.fills(50),
  );
  const isOwner = can('own');
  const seesCodes = can('readAll');
  const canInvite = isOwner && study.status === 'active';
  useAction('invite', () => canInvite && setInviting(true));
  const changes = useMemberChanges(list, () => setError(undefined));

  const columns = memberColumns({
    me,
    can,
    onCode: setCoding,
    onRole: (member, chosen) => {
      if (member.identifier === me) setQuestion({ member, role: chosen });
      else changes.changeRole(member, chosen).catch(setError);
    },
    onRemove: (member) => setQuestion({ member }),
    properties,
    onProperties:
      can('edit') && study.status === 'active' && changeable(properties, study.scope).length > 0
        ? setGrouping
        : undefined,
    onScope: setScoping,
  });

  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {can('edit') && (
          <a class="button plain" href={screenPath('/members/codes')}>
            <Icon name="phone" />
            {strings.codes}
          </a>
        )}
        {can('edit') && study.status === 'active' && (
          <a class="button plain" href={screenPath('/members/dates')}>
            <Icon name="table" />
            {dates.fromTable}
          </a>
        )}
        {canInvite && (
          <Button kind="primary" icon="mail" onClick={() => setInviting(true)}>
            {strings.invite}
          </Button>
        )}
      </PageHead>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="filters">
        <RoleFilter role={role} onChange={(chosen) => filter({ role: chosen })} />
        {seesCodes && <CodeFilter value={code} onChange={(typed) => filter({ code: typed })} />}
        <PropertyFilter />
        <SavedFilters screen="members" />
      </div>
      <Table
        saves
        caption={strings.caption}
        columns={columns}
        rows={list.data?.flatMap(({ members }) => members)}
        rowId={({ identifier }) => identifier}
        list={list}
        empty={
          role || code || part.rule ? (
            <EmptyState
              icon="search"
              title={
                code
                  ? strings.noneOfCode(code)
                  : role
                    ? strings.noneOfRole(common.roles[role])
                    : strings.noneOfGroup
              }
            >
              <Button onClick={() => filter({ role: '', code: '', ...none })}>{strings.showEveryone}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon="people" title={strings.empty} />
          )
        }
      />
      {isOwner && list.data && (
        <Invitations
          invitations={list.data.flatMap(({ invitations }) => invitations)}
          list={list}
          onError={setError}
        />
      )}
      {inviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onDone={(email) => {
            setInviting(false);
            list.reload();
            toast({ text: strings.invited(email) });
          }}
        />
      )}
      {coding && (
        <CodeDialog
          {...coding}
          onClose={() => setCoding(undefined)}
          onSave={async (typed) => {
            await changes.setCode(coding, typed);
            setCoding(undefined);
          }}
        />
      )}
      {grouping && (
        <DatesDialog
          user={grouping.identifier}
          name={grouping.name}
          course={grouping}
          of="properties"
          onClose={() => setGrouping(undefined)}
        />
      )}
      {scoping && (
        <ScopeDialog
          {...scoping}
          onClose={() => setScoping(undefined)}
          onSave={async (scope) => {
            await changes.setScope(scoping, scope);
            setScoping(undefined);
          }}
        />
      )}
      {question && (
        <FormDialog
          {...textOf(question, me)}
          kind="danger"
          onClose={() => setQuestion(undefined)}
          onSubmit={async () => {
            const { member, role } = question;
            await (role ? changes.changeRole(member, role) : changes.remove(member));
            setQuestion(undefined);
          }}
        />
      )}
    </>
  );
}

function textOf({ member, role }: Question, me: string) {
  if (role)
    return {
      title: strings.demoteTitle,
      children: strings.demoteAbout(common.roles[role]),
      submit: strings.demote,
    };
  return member.identifier === me
    ? { title: strings.leaveTitle, children: strings.leaveAbout, submit: strings.leave }
    : { title: strings.removeTitle(member.name), children: strings.removeAbout, submit: strings.remove };
}
