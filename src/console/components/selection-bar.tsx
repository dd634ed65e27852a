import type { ComponentChildren } from 'preact';
import { strings } from '../common-strings.ts';
import { formatNumber } from '../format.ts';
import { Button } from './button.tsx';

/** Actions on the selected rows; follows the table at the lower edge. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ComponentChildren;
}) {
  return (
    <div class="selection-bar" data-open={count > 0 || undefined}>
      <p role="status">{count > 0 && strings.selected(formatNumber(count))}</p>
      {count > 0 && (
        <>
          <div class="selection-actions">{children}</div>
          <Button kind="quiet" icon="close" hideLabel onClick={onClear}>
            {strings.clearSelection}
          </Button>
        </>
      )}
    </div>
  );
}
