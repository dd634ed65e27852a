import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type AnswerOf, api, type Role, usePages } from '../api.ts';
import { Avatar } from '../components/avatar.tsx';
import { Button } from '../components/button.tsx';
import { PageHead } from '../components/page-head.tsx';
import { ProblemNote } from '../components/problem-note.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { useToast } from '../components/toast.tsx';
import { Invitations } from '../members/invitations.tsx';
import { InviteDialog } from '../members/invite-dialog.tsx';
import { isRole, RoleFilter, RoleSelect } from '../members/role-select.tsx';
import { SureDialog } from '../members/sure-dialog.tsx';
import { useQuery } from '../query.ts';
import { strings as common } from '../strings/common.ts';
import { strings } from '../strings/members.ts';
import { useStudy } from '../study.ts';
import { useUser } from '../user.tsx';

const route = api.investigation[':id'].members;
const ofMember = api.investigation[':id'].member[':user'];
type Member = AnswerOf<typeof route.$get>['members'][number];

/** What is asked before it is done: somebody goes, or the viewer gives up being an owner. */
type Question = { member: Member; role?: Role };

/** Who takes part in the study, in which role, and who is invited. */
export function Members() {
  const { study, reload: reloadStudy } = useStudy();
  const me = useUser().identifier;
  const { route: go } = useLocation();
  const toast = useToast();
  const id = study.identifier;
  const [error, setError] = useState<unknown>();
  const [inviting, setInviting] = useState(false);
  const [question, setQuestion] = useState<Question>();
  // Shown before the service has answered.
  const [ahead, setAhead] = useState<Record<string, Role>>({});
  const [{ role: asked }, filter] = useQuery();
  const role = isRole(asked) ? asked : undefined;
  const list = usePages(
    (cursor, signal) =>
      route.$get(
        { param: { id }, query: { limit: '100', cursor, ...(role && { role }) } },
        { init: { signal } },
      ),
    [id, role],
  );
  const isOwner = study.role === 'owner';
  useEffect(() => setAhead({}), [list.data?.[0]]);

  async function setRole(user: string, role: Role) {
    setAhead((now) => ({ ...now, [user]: role }));
    setError(undefined);
    try {
      await ofMember.$patch({ param: { id, user }, json: { role } });
    } catch (failure) {
      setAhead(({ [user]: _, ...others }) => others);
      throw failure;
    }
    if (user === me) reloadStudy();
  }
  async function changeRole(member: Member, role: Role) {
    const before = ahead[member.identifier] ?? member.role;
    await setRole(member.identifier, role);
    toast({
      text: strings.changed(member.name, common.roles[role]),
      // Who is no longer an owner cannot take it back.
      ...(member.identifier !== me && { undo: () => setRole(member.identifier, before) }),
    });
  }
  async function remove({ identifier: user, name, role }: Member) {
    await ofMember.$delete({ param: { id, user } });
    if (user === me) {
      toast({ text: strings.left });
      go('/console');
      return;
    }
    list.reload();
    const undo = async () => {
      await api.investigation[':id'].member.$post({
        param: { id },
        json: { user, role: ahead[user] ?? role },
      });
      list.reload();
    };
    toast({ text: strings.removed(name), undo });
  }

  const columns: Column<Member>[] = [
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
        const role = ahead[member.identifier] ?? member.role;
        if (!isOwner) return common.roles[role];
        return (
          <RoleSelect
            name={member.name}
            role={role}
            onChoose={(chosen) => {
              if (member.identifier === me) setQuestion({ member, role: chosen });
              else changeRole(member, chosen).catch(setError);
            }}
          />
        );
      },
    },
    {
      label: strings.actions,
      cell: (member) =>
        (isOwner || member.identifier === me) && (
          <Button kind="quiet" icon="close" onClick={() => setQuestion({ member })}>
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

  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {isOwner && study.status === 'active' && (
          <Button kind="primary" icon="mail" onClick={() => setInviting(true)}>
            {strings.invite}
          </Button>
        )}
      </PageHead>
      {error !== undefined && <ProblemNote error={error} />}
      <RoleFilter role={role} onChange={(chosen) => filter({ role: chosen })} />
      <Table
        caption={strings.caption}
        columns={columns}
        rows={list.data?.flatMap(({ members }) => members)}
        rowId={({ identifier }) => identifier}
        list={list}
        empty={
          role ? (
            <EmptyState icon="search" title={strings.noneOfRole(common.roles[role])}>
              <Button onClick={() => filter({ role: '' })}>{strings.showEveryone}</Button>
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
      {question && (
        <SureDialog
          {...textOf(question, me)}
          onClose={() => setQuestion(undefined)}
          onSure={async () => {
            const { member, role } = question;
            await (role ? changeRole(member, role) : remove(member));
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
      about: strings.demoteAbout(common.roles[role]),
      submit: strings.demote,
    };
  return member.identifier === me
    ? { title: strings.leaveTitle, about: strings.leaveAbout, submit: strings.leave }
    : { title: strings.removeTitle(member.name), about: strings.removeAbout, submit: strings.remove };
}
