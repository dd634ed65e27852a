import { type AnswerOf, api, usePages } from '../api.ts';
import { PageHead } from '../components/page-head.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { viewerZone } from '../format.ts';
import { strings } from '../strings/activity.ts';
import { strings as common } from '../strings/common.ts';
import { useStudy } from '../study.ts';

const route = api.investigation[':id'].activity;
type Entry = AnswerOf<typeof route.$get>['activities'][number];

const columns: readonly Column<Entry>[] = [
  {
    label: strings.what,
    cell: ({ action, cases, responses }) => (
      <>
        {strings.actions[action] ?? action}{' '}
        <span class="muted">{strings.items(cases.length, responses.length)}</span>
      </>
    ),
  },
  { label: strings.who, cell: ({ actorName }) => actorName },
  { label: strings.reason, cell: ({ reason }) => reason },
  { label: strings.at, cell: ({ at }) => <Time at={at} /> },
];

/** Who did what and when. */
export function Activity() {
  const { study } = useStudy();
  const id = study.identifier;
  const list = usePages(
    (cursor, signal) => route.$get({ param: { id }, query: { limit: '100', cursor } }, { init: { signal } }),
    [id],
  );
  return (
    <>
      <PageHead title={strings.title} about={`${strings.about} ${common.yourTime(viewerZone)}.`} />
      <Table
        caption={strings.caption}
        columns={columns}
        rows={list.data?.flatMap(({ activities }) => activities)}
        rowId={({ identifier }) => identifier}
        list={list}
        empty={
          <EmptyState icon="history" title={strings.emptyTitle}>
            <p>{strings.emptyAbout}</p>
          </EmptyState>
        }
      />
    </>
  );
}
