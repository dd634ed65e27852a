import { useLocation } from 'preact-iso/router';
import { mutate, type Pages } from '../../answers.ts';
import { type AnswerOf, api, type Role } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { useToast } from '../../components/toast.tsx';
import { type PropertyRule, ruleText } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { strings } from './member-strings.ts';

type Page = AnswerOf<(typeof api.investigation)[':id']['members']['$get']>;
export type Member = Page['members'][number];

const ofMember = api.investigation[':id'].member[':user'];

/** An owner's changes of members, each with its way back; a new role is shown before the service has answered. */
export function useMemberChanges(list: Pages<Page>, onTry: () => void) {
  const { id } = useStudy();
  const me = useUser().identifier;
  const { route: go } = useLocation();
  const toast = useToast();

  async function setRole(user: string, role: Role) {
    onTry();
    const withRole = (member: Member) => (member.identifier === user ? { ...member, role } : member);
    await list.mutate(
      (pages) => pages.map((page) => ({ ...page, members: page.members.map(withRole) })),
      async () => void (await ofMember.$patch({ param: { id, user }, json: { role } })),
    );
    if (user === me) mutate(['study', id]);
  }
  async function changeRole(member: Member, role: Role) {
    const before = member.role;
    await setRole(member.identifier, role);
    toast({
      text: strings.changed(member.name, common.roles[role]),
      // A person who is no longer an owner cannot undo.
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
        // The code and the properties come back by themselves.
        json: { user, role: member.role, ...(member.scope && { scope: member.scope }) },
      });
      list.reload();
    };
    toast({ text: strings.removed(name), undo });
  }

  async function setCode(member: Member, code: string | null) {
    const { identifier: user, name, code: before = null } = member;
    const set = async (to: string | null) => {
      await ofMember.$patch({ param: { id, user }, json: { code: to } });
      list.reload();
    };
    onTry();
    await set(code);
    toast({ text: strings.codeSaved(name, code), undo: () => set(before) });
  }

  async function setScope({ identifier: user, name, scope: before }: Member, scope: PropertyRule | null) {
    const set = async (to: PropertyRule | null) => {
      await ofMember.$patch({ param: { id, user }, json: { scope: to } });
      list.reload();
    };
    onTry();
    await set(scope);
    toast({ text: strings.scopeSaved(name, scope && ruleText(scope)), undo: () => set(before ?? null) });
  }

  return { changeRole, remove, setCode, setScope };
}
