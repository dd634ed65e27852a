import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { useStudy } from '../../study-context.ts';
import { strings } from './download-strings.ts';
import { FileDialog } from './file-dialog.tsx';
import type { FileQueries } from './file-query.ts';

/** Offers files for analysis, narrowed by the filters of the screen, to those who see all records. */
export function MoreFiles(queries: FileQueries) {
  const { can } = useStudy();
  const [isOpen, setOpen] = useState(false);
  if (!can('readAll')) return null;
  return (
    <>
      <Button icon="download" onClick={() => setOpen(true)}>
        {strings.button}
      </Button>
      {isOpen && <FileDialog {...queries} onClose={() => setOpen(false)} />}
    </>
  );
}
