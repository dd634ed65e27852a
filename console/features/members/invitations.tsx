import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listed } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { propertyColumns } from '../../components/property-fields.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { ruleText } from '../../groups.ts';
import { isReturning } from '../../places.ts';
import { useStudy } from '../../study-context.ts';
import { CodeButton, CodeDialog } from './code-dialog.tsx';
import { strings } from './member-strings.ts';

type Invitation = AnswerOf<(typeof api.investigation)[':id']['members']['$get']>['invitations'][number];

/** The end of the address that leads here, below any number of members. */
const place = 'invitations';

/** The page of the console on which people who sign in with the address accept. */
const linkTo = (study: string) => `${location.origin}/console?invitation=${study}`;

/** Open invitations: their link, an e-mail by the person's own program, and a button to revoke them. */
export function Invitations({
  invitations,
  list,
  onError,
}: {
  invitations: readonly Invitation[];
  list: Listed;
  onError: (error: unknown) => void;
}) {
  const { study, id, properties } = useStudy();
  const toast = useToast();
  const link = linkTo(id);
  const heading = useRef<HTMLHeadingElement>(null);
  // The browser looked for this heading before it existed.
  useEffect(() => {
    if (location.hash !== `#${place}` || isReturning()) return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, []);

  const [coding, setCoding] = useState<Invitation>();

  async function setCode({ email, ...invitation }: Invitation, code: string | null) {
    const before = invitation.code ?? null;
    const set = async (to: string | null) => {
      await api.investigation[':id'].member[':user'].$patch({
        param: { id, user: encodeURIComponent(email) },
        json: { code: to },
      });
      list.reload();
    };
    await set(code);
    toast({ text: strings.codeSaved(email, code), undo: () => set(before) });
  }

  async function revoke({ email, role, code, properties, scope }: Invitation) {
    await api.investigation[':id'].member[':user'].$delete({
      param: { id, user: encodeURIComponent(email) },
    });
    list.reload();
    const undo = async () => {
      await api.investigation[':id'].member.$post({
        param: { id },
        json: {
          email,
          role,
          ...(code && { code }),
          ...(properties && { properties }),
          ...(scope && { scope }),
        },
      });
      list.reload();
    };
    toast({ text: strings.revoked(email), undo });
  }
  const mailTo = ({ email, role }: Invitation) =>
    `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(strings.mailSubject(study.name))}&body=${encodeURIComponent(
      strings.mailBody(study.name, common.roles[role], email, link),
    )}`;

  const columns: Column<Invitation>[] = [
    { label: strings.email, cell: ({ email }) => email },
    {
      label: common.code,
      cell: (invitation) => (
        <CodeButton name={invitation.email} code={invitation.code} onClick={() => setCoding(invitation)} />
      ),
    },
    {
      label: strings.role,
      cell: ({ role, scope }) => (
        <>
          {common.roles[role]}
          {scope && <span class="muted"> {common.scopeOnly(ruleText(scope))}</span>}
        </>
      ),
    },
    ...propertyColumns<Invitation>(properties),
    { label: strings.waitsSince, cell: ({ invitedAt }) => <Time at={invitedAt} /> },
    {
      label: strings.actions,
      cell: (invitation) => (
        <span class="row-actions">
          <CopyButton text={link} label={strings.copyLink} />
          <a class="button plain" href={mailTo(invitation)} aria-label={strings.mailTo(invitation.email)}>
            <Icon name="mail" />
            {strings.mail}
          </a>
          <Button
            kind="quiet"
            icon="close"
            aria-label={strings.revokeOf(invitation.email)}
            onClick={() => revoke(invitation).catch(onError)}
          >
            {strings.revoke}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <section class="apart" aria-labelledby={place}>
      <h2 id={place} ref={heading} tabIndex={-1}>
        {strings.invitationsTitle}
      </h2>
      <p class="muted">{strings.invitationsAbout}</p>
      <Table
        saves
        caption={strings.invitationsCaption}
        columns={columns}
        rows={invitations}
        rowId={({ email }) => email}
        list={{ ...list, hasMore: false, error: undefined }}
        empty={<EmptyState icon="mail" title={strings.noInvitations} about={strings.noInvitationsAbout} />}
      />
      {coding && (
        <CodeDialog
          name={coding.email}
          code={coding.code}
          onClose={() => setCoding(undefined)}
          onSave={async (typed) => {
            await setCode(coding, typed);
            setCoding(undefined);
          }}
        />
      )}
    </section>
  );
}
