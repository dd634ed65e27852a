import { useLocation } from 'preact-iso/router';
import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Avatar } from '../../components/person.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { useTask } from '../../task.ts';
import { strings } from './my-invitation-strings.ts';

const route = api.user[':id'].invitations;
type Invitation = AnswerOf<typeof route.$get>['invitations'][number];

/** Open invitations of the signed-in person. A link to an invitation (`?invitation=`) puts it first. */
export function MyInvitations() {
  const { query, route: go } = useLocation();
  const toast = useToast();
  const { run, busy, error } = useTask();
  const { data, reload } = useAnswer(['my-invitations'], (options) =>
    route.$get({ param: { id: 'me' } }, options),
  );
  if (!data || data.invitations.length === 0) return null;

  async function answer({ identifier: investigation, name }: Invitation, verdict: 'accept' | 'decline') {
    await route[':investigation'][verdict].$post({ param: { id: 'me', investigation } });
    if (verdict === 'accept') return go(`/console/studies/${investigation}`);
    toast({ text: strings.declined(name) });
    reload();
  }
  const isFirst = ({ identifier }: Invitation) => Number(identifier === query.invitation);
  const sorted = [...data.invitations].sort((a, b) => isFirst(b) - isFirst(a));
  return (
    <section class="card" aria-labelledby="my-invitations">
      <h2 id="my-invitations">{strings.title}</h2>
      {error !== undefined && <ProblemNote error={error} />}
      <ul class="my-invitations">
        {sorted.map((invitation) => (
          <li key={invitation.identifier}>
            <Avatar user={invitation.invitedBy.identifier} />
            <div>
              <p class="lead" dir="auto">
                {invitation.name}
              </p>
              <p class="muted">
                <bdi>{strings.from(invitation.invitedBy.name, common.roles[invitation.role])}</bdi>{' '}
                {strings.expires} <Time at={invitation.expiresAt} />
              </p>
            </div>
            <span class="row-actions">
              <Button
                aria-label={strings.declineOf(invitation.name)}
                onClick={() => run(() => answer(invitation, 'decline'))}
              >
                {strings.decline}
              </Button>
              <Button
                kind="primary"
                busy={busy === invitation.identifier}
                aria-label={strings.acceptOf(invitation.name)}
                onClick={() => run(() => answer(invitation, 'accept'), invitation.identifier)}
              >
                {strings.accept}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
