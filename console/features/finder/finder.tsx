import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { isDialogOpen, useKeys } from '../../keys.ts';
import { strings } from './finder-strings.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { Palette } from './palette.tsx';

/** The button and the keys that open the palette and the list of keys. */
export function Finder({ study }: { study?: string }) {
  const [open, setOpen] = useState<'palette' | 'keys'>();
  useKeys([
    { key: '/', label: strings.openFinder, act: () => setOpen('palette') },
    { key: '?', label: strings.openKeys, act: () => setOpen('keys') },
  ]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.shiftKey || event.altKey || isDialogOpen()) return;
      event.preventDefault();
      setOpen('palette');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const close = () => setOpen(undefined);
  return (
    <>
      <Button kind="quiet" icon="search" aria-keyshortcuts="Control+K" onClick={() => setOpen('palette')}>
        <span class="finder-label">{strings.button}</span> <kbd class="finder-key">{strings.keysHint}</kbd>
      </Button>
      {open === 'palette' && <Palette study={study} onClose={close} onKeys={() => setOpen('keys')} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </>
  );
}
