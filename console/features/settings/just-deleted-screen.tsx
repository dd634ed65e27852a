import { useLocation, useRoute } from 'preact-iso/router';
import { api, isProblem } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { TopBar } from '../../components/top-bar.tsx';
import { useTask } from '../../task.ts';
import { strings } from './settings-strings.ts';

/** The screen after a deletion, with a way back: the study itself is in no list any more. */
export function Deleted() {
  const { study: id = '' } = useRoute().params;
  const { route } = useLocation();
  const toast = useToast();
  const { run, busy, error } = useTask();
  async function restore() {
    await api.investigation[':id'].restore.$post({ param: { id } });
    toast({ text: strings.restored });
    route(`/console/studies/${id}/settings`, true);
  }
  const isGone = isProblem(error, 'resource.not-found', 'action.forbidden');
  return (
    <>
      <TopBar />
      <main id="content" class="page">
        <PageHead title={strings.deletedTitle} back={{ href: '/console', label: common.nav.allStudies }} />
        {error !== undefined && !isGone && <ProblemNote error={error} />}
        <EmptyState icon="trash" title={isGone ? strings.gone : strings.deletedTitle}>
          {!isGone && (
            <>
              <p>{strings.deletedAbout}</p>
              <Button kind="primary" icon="restore" busy={busy !== undefined} onClick={() => run(restore)}>
                {strings.restore}
              </Button>
              <a href="/console/deleted">{strings.toDeleted}</a>
            </>
          )}
        </EmptyState>
      </main>
    </>
  );
}
