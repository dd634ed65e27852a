import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';
import { fileName, saveText } from '../download.ts';
import { csvOf } from '../table-csv.ts';
import { Button } from './button.tsx';

interface Props {
  table: RefObject<HTMLTableElement | null>;
  caption: string;
  /** The names of the columns that may be hidden. */
  labels: readonly string[];
  hidden: readonly string[];
  /** The table is not drawn to its end. */
  busy: boolean;
  onHide: (hidden: readonly string[]) => void;
}

/** Chooses the columns of a table, and saves what it shows. */
export function TableTools({ table, caption, labels, hidden, busy, onHide }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="table-tools">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {strings.columns}
          {hidden.length > 0 && ` (${strings.hiddenColumns(hidden.length)})`}
        </summary>
        {isOpen && (
          <fieldset class="table-columns" aria-label={strings.columns}>
            {labels.map((label) => (
              <label key={label} class="table-column">
                <input
                  type="checkbox"
                  checked={!hidden.includes(label)}
                  onChange={({ currentTarget: { checked } }) =>
                    onHide(checked ? hidden.filter((one) => one !== label) : [...hidden, label])
                  }
                />{' '}
                {label}
              </label>
            ))}
          </fieldset>
        )}
      </details>
      <Button
        kind="quiet"
        icon="download"
        busy={busy}
        onClick={() =>
          table.current && void saveText(csvOf(table.current), fileName(caption, 'csv'), 'text/csv')
        }
      >
        {strings.csvShown}
      </Button>
    </div>
  );
}
