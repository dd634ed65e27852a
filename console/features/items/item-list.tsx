import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Listed } from '../../answers.ts';
import { strings as common } from '../../common-strings.ts';
import { useSelection } from '../../components/selection.ts';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';
import { formatNumber } from '../../format.ts';
import { useKeptList } from '../../records.ts';
import { type Entry, latestEntries, type News, useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { ChangeDialog, changeDraft, type MutateItems, type PendingChange } from './change-dialog.tsx';
import type { ItemState, Kind } from './item-kinds.ts';
import { strings } from './item-strings.ts';

interface Props<Row> {
  kind: Kind;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  list: Listed;
  mutate: MutateItems;
  nameOf: (row: Row) => string;
  /** The creator of a case, the responder of a response. */
  ownerOf: (row: Row) => string;
  /** The screen offers the lock by filter. */
  hasMatching: boolean;
  empty: ComponentChildren;
}

/** Cases or responses, with actions on the selected ones. Changes by other people appear by themselves. */
export function ItemList<Row extends ItemState & { identifier: string }>({
  kind,
  columns,
  rows,
  list,
  mutate: mutateItems,
  nameOf,
  ownerOf,
  hasMatching,
  empty,
}: Props<Row>) {
  const { identifier: me } = useUser();
  const toast = useToast();
  const selection = useSelection();
  const [asking, setAsking] = useState<PendingChange | undefined>(() => {
    const draft = takeDraft<PendingChange>(changeDraft);
    return draft?.kind === kind ? draft : undefined;
  });
  // Selected items that are still in the list.
  const chosen = rows?.filter(({ identifier }) => selection.has(identifier)) ?? [];

  const { study } = useStudy();
  useKeptList(
    kind,
    rows?.map(({ identifier }) => identifier),
  );
  const lastPosition = useRef(0);
  /** Locks, archival and deletion by other people are in the log, with their names. */
  async function report({ since }: News) {
    if (since === '') return;
    const entries = await latestEntries(study.identifier);
    const fresh = entries.filter(({ at, position }) => at >= since && position > lastPosition.current);
    lastPosition.current = Math.max(lastPosition.current, ...fresh.map(({ position }) => position));
    for (const text of fresh.filter(({ actor }) => actor !== me).flatMap(reportsOf)) toast({ text });
  }
  useStudyChanges((news) => {
    list.reload();
    void report(news).catch(() => {});
  });

  return (
    <>
      <Table
        saves
        caption={strings.caption[kind]}
        columns={columns}
        rows={rows}
        rowId={({ identifier }) => identifier}
        rowName={nameOf}
        list={list}
        selection={selection}
        empty={empty}
      />
      {list.hasMore && rows !== undefined && rows.length > 0 && chosen.length === rows.length && (
        <p class="note" role="status">
          {strings.partOfList(formatNumber(chosen.length))} {hasMatching && strings.allOfList}
        </p>
      )}
      <SelectionBar count={chosen.length} onClear={selection.clear}>
        <ChangeButtons
          items={chosen}
          isOwn={chosen.every((row) => ownerOf(row) === me)}
          onAsk={(change) => setAsking({ change, kind, ids: chosen.map(({ identifier }) => identifier) })}
        />
      </SelectionBar>
      {asking && (
        <ChangeDialog
          {...asking}
          items={rows?.filter(({ identifier }) => asking.ids.includes(identifier)) ?? []}
          nameOf={(id) => {
            const row = rows?.find(({ identifier }) => identifier === id);
            return row && nameOf(row);
          }}
          mutate={mutateItems}
          onClose={() => setAsking(undefined)}
          onAsk={setAsking}
          onChanged={list.reload}
          onDone={selection.clear}
        />
      )}
    </>
  );
}

/** An entry by somebody else as a sentence, if it concerns the listed items. */
function reportsOf({ action, actorName, cases, responses, details }: Entry): string[] {
  const matched = details?.items as { cases?: number; responses?: number } | undefined;
  const what = strings.both(matched?.cases ?? cases.length, matched?.responses ?? responses.length);
  const text = strings.others[action]?.(actorName || common.unseenPerson, what);
  return text === undefined ? [] : [text];
}
