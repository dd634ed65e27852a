import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Pages } from '../../api.ts';
import { useSelection } from '../../components/selection.ts';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';
import { type Entry, useNewEntries } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { ChangeDialog, changeDraft, type PendingChange } from './change-dialog.tsx';
import { useAhead } from './expected-states.ts';
import type { ItemState, Kind } from './item-kinds.ts';
import { strings } from './item-strings.ts';

interface Props<Row> {
  kind: Kind;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  list: Pages<unknown>;
  nameOf: (row: Row) => string;
  empty: ComponentChildren;
}

/** Cases or responses, with what can be done to those that are selected. What others do shows itself. */
export function ItemList<Row extends ItemState & { identifier: string }>({
  kind,
  columns,
  rows: read,
  list,
  nameOf,
  empty,
}: Props<Row>) {
  const { study, reload } = useStudy();
  const { identifier: me } = useUser();
  const toast = useToast();
  const selection = useSelection();
  const [asking, setAsking] = useState<PendingChange | undefined>(() => {
    const draft = takeDraft<PendingChange>(changeDraft);
    return draft?.kind === kind ? draft : undefined;
  });
  const { expect, shown } = useAhead(list.data);
  const rows = read?.map((row) => shown(row.identifier, row));
  // Those that are still in the list.
  const chosen = rows?.filter(({ identifier }) => selection.has(identifier)) ?? [];

  useNewEntries(study, (entries) => {
    list.reload();
    if (entries.some(({ action }) => /^study\./.test(action))) reload();
    for (const text of entries.filter(({ actor }) => actor !== me).flatMap(toldBy)) toast({ text });
  });

  return (
    <>
      <Table
        caption={strings.caption[kind]}
        columns={columns}
        rows={rows}
        rowId={({ identifier }) => identifier}
        rowName={nameOf}
        list={list}
        selection={selection}
        empty={empty}
      />
      <SelectionBar count={chosen.length} onClear={selection.clear}>
        <ChangeButtons
          items={chosen}
          onAsk={(change) => setAsking({ change, kind, ids: chosen.map(({ identifier }) => identifier) })}
        />
      </SelectionBar>
      {asking && (
        <ChangeDialog
          {...asking}
          nameOf={(id) => {
            const row = rows?.find(({ identifier }) => identifier === id);
            return row && nameOf(row);
          }}
          expect={expect}
          onClose={() => setAsking(undefined)}
          onAsk={setAsking}
          onChanged={list.reload}
          onDone={selection.clear}
        />
      )}
    </>
  );
}

/** What an entry of somebody else says, where it concerns what is listed. */
function toldBy({ action, actorName, cases, responses, details }: Entry): string[] {
  const matched = details?.items as { cases?: number; responses?: number } | undefined;
  const what = strings.both(matched?.cases ?? cases.length, matched?.responses ?? responses.length);
  const text = strings.others[action]?.(actorName, what);
  return text === undefined ? [] : [text];
}
