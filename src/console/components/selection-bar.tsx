import type { ComponentChildren } from 'preact';
import { formatNumber } from '../format.ts';
import { strings } from '../strings/common.ts';
import { Button } from './button.tsx';
import type { Selection } from './selection.ts';

/** What can be done with the rows that are selected; follows the table at the lower edge. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ComponentChildren }) {
  const { ids, clear } = selection;
  return (
    <div class="selection-bar" data-open={ids.size > 0 || undefined}>
      <p role="status">{ids.size > 0 && strings.selected(formatNumber(ids.size))}</p>
      {ids.size > 0 && (
        <>
          <div class="selection-actions">{children}</div>
          <Button kind="quiet" icon="close" hideLabel onClick={clear}>
            {strings.clearSelection}
          </Button>
        </>
      )}
    </div>
  );
}
