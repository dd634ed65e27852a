import { usePages } from '../../answers.ts';
import { api, type Study } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { TopBar } from '../../components/top-bar.tsx';
import { viewerZone } from '../../format.ts';
import { useTask } from '../../task.ts';
import { strings } from './study-strings.ts';

const retentionMs = 30 * 86_400_000;

/** Studies that the person deleted in the last 30 days and can bring back. */
export function DeletedStudies() {
  const toast = useToast();
  const { run, busy, error } = useTask();
  const list = usePages(['deleted-studies'], (cursor, options) =>
    api.investigation.$get({ query: { status: 'deleted', limit: '50', cursor } }, options),
  );

  async function restore({ identifier: id, name }: Study) {
    try {
      await api.investigation[':id'].restore.$post({ param: { id } });
      toast({ text: strings.restored(name) });
    } finally {
      list.reload();
    }
  }

  const columns: readonly Column<Study>[] = [
    { label: strings.name, cell: ({ name }) => <bdi>{name}</bdi> },
    { label: strings.deletedAt, cell: ({ deletedAt = '' }) => <Time at={deletedAt} /> },
    {
      label: strings.goneOn,
      cell: ({ deletedAt = '' }) => (
        <Time at={new Date(Date.parse(deletedAt) + retentionMs).toISOString()} distance />
      ),
    },
    {
      label: strings.actions,
      cell: (study) => (
        <Button
          icon="restore"
          busy={busy === study.identifier}
          aria-label={strings.restoreOf(study.name)}
          onClick={() => run(() => restore(study), study.identifier)}
        >
          {strings.restore}
        </Button>
      ),
    },
  ];

  return (
    <>
      <TopBar />
      <main id="content" class="page">
        <PageHead
          title={strings.deletedStudies}
          about={`${strings.deletedStudiesAbout} ${common.yourTime(viewerZone)}.`}
          back={{ href: '/console', label: common.nav.allStudies }}
        />
        {error !== undefined && <ProblemNote error={error} />}
        <Table
          saves
          caption={strings.deletedStudies}
          columns={columns}
          rows={list.data?.flatMap(({ investigations }) => investigations)}
          rowId={({ identifier }) => identifier}
          list={list}
          empty={<EmptyState icon="trash" title={strings.noneDeleted} about={strings.noneDeletedAbout} />}
        />
      </main>
    </>
  );
}
