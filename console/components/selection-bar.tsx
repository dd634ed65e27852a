import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
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
  const isOpen = count > 0;
  useLayoutEffect(() => {
    document.body.classList.toggle('selecting', isOpen);
    return () => document.body.classList.remove('selecting');
  }, [isOpen]);
  return (
    <div class="selection-bar" data-open={isOpen || undefined}>
      <p role="status">{isOpen && strings.selected(formatNumber(count))}</p>
      {isOpen && (
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
