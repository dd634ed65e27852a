import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type AnswerOf, api, type Pages, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { strings } from './member-strings.ts';

type Page = AnswerOf<(typeof api.investigation)[':id']['members']['$get']>;
export type Member = Page['members'][number];

const ofMember = api.investigation[':id'].member[':user'];

/** What an owner does to members, each with its way back; a role is shown before the service has answered. */
export function useMemberChanges(list: Pages<Page>, onTry: () => void) {
  const { study, reload: reloadStudy } = useStudy();
  const me = useUser().identifier;
  const { route: go } = useLocation();
  const toast = useToast();
  const id = study.identifier;
  const [ahead, setAhead] = useState<Record<string, Role>>({});
  useEffect(() => setAhead({}), [list.data?.[0]]);
  const roleOf = ({ identifier, role }: Member) => ahead[identifier] ?? role;

  async function setRole(user: string, role: Role) {
    setAhead((now) => ({ ...now, [user]: role }));
    onTry();
    try {
      await ofMember.$patch({ param: { id, user }, json: { role } });
    } catch (failure) {
      setAhead(({ [user]: _, ...others }) => others);
      throw failure;
    }
    if (user === me) reloadStudy();
  }
  async function changeRole(member: Member, role: Role) {
    const before = roleOf(member);
    await setRole(member.identifier, role);
    toast({
      text: strings.changed(member.name, common.roles[role]),
      // Who is no longer an owner cannot take it back.
      ...(member.identifier !== me && { undo: () => setRole(member.identifier, before) }),
    });
  }
  async function remove(member: Member) {
    const { identifier: user, name } = member;
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
        json: { user, role: roleOf(member) },
      });
      list.reload();
    };
    toast({ text: strings.removed(name), undo });
  }

  return { roleOf, changeRole, remove };
}
