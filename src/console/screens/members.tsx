import { type AnswerOf, api, usePages } from '../api.ts';
import { Avatar } from '../components/avatar.tsx';
import { PageHead } from '../components/page-head.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { strings as common } from '../strings/common.ts';
import { strings } from '../strings/members.ts';
import { useStudy } from '../study.ts';

const route = api.investigation[':id'].members;
type Member = AnswerOf<typeof route.$get>['members'][number];

const columns: readonly Column<Member>[] = [
  {
    label: strings.name,
    cell: ({ identifier, name }) => (
      <span class="with-avatar">
        <Avatar user={identifier} />
        {name}
      </span>
    ),
  },
  { label: strings.role, cell: ({ role }) => common.roles[role] },
];

/** Who takes part in the study. */
export function Members() {
  const { study } = useStudy();
  const id = study.identifier;
  const list = usePages(
    (cursor, signal) => route.$get({ param: { id }, query: { limit: '100', cursor } }, { init: { signal } }),
    [id],
  );
  return (
    <>
      <PageHead title={strings.title} about={strings.about} />
      <Table
        caption={strings.caption}
        columns={columns}
        rows={list.data?.flatMap(({ members }) => members)}
        rowId={({ identifier }) => identifier}
        list={list}
        empty={<EmptyState icon="people" title={strings.empty} />}
      />
    </>
  );
}
