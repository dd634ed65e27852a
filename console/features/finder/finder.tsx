import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { useToast } from '../../components/toast.tsx';
import { isDialogOpen, useKeys } from '../../keys.ts';
import { loadPart } from '../../load-part.ts';
import { messageOf } from '../../problem.ts';
import { screensFor } from '../../screens.ts';
import { strings } from './finder-strings.ts';
import type { PartProps } from './part-props.ts';

type Parts = typeof import('../../work-screens.ts').dialogs;

const load = () => loadPart(() => import('../../work-screens.ts').then(({ dialogs }) => dialogs));

/** The button and the keys that open the palette and the list of keys, which are fetched then. */
export function Finder({ study }: { study?: string }) {
  const toast = useToast();
  const [parts, setParts] = useState<Parts>();
  const [open, setOpen] = useState<keyof Parts>();
  const show = (part: keyof Parts) => {
    setOpen(part);
    if (!parts) load().then(setParts, (error: unknown) => toast({ text: messageOf(error), isFailure: true }));
  };
  useKeys([
    { key: '/', label: strings.openFinder, act: () => show('Palette') },
    { key: '?', label: strings.openKeys, act: () => show('KeysDialog') },
  ]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.shiftKey || event.altKey || isDialogOpen()) return;
      event.preventDefault();
      show('Palette');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  const Open: FunctionComponent<PartProps> | undefined = open && parts?.[open];
  return (
    <>
      <Button kind="quiet" icon="search" aria-keyshortcuts="Control+K" onClick={() => show('Palette')}>
        <span class="finder-label">{strings.button}</span> <kbd class="finder-key">{strings.keysHint}</kbd>
      </Button>
      {Open && (
        <Open
          study={study}
          screensFor={screensFor}
          onClose={() => setOpen(undefined)}
          onKeys={() => setOpen('KeysDialog')}
        />
      )}
    </>
  );
}
