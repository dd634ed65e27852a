import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Choice } from '../../components/form.tsx';
import { areKeysOn, offeredKeys, switchKeys } from '../../keys.ts';
import { strings } from './finder-strings.ts';

/** The keys of the open screen, and the switch for those of one letter. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [offered] = useState(offeredKeys);
  const [on, setOn] = useState(areKeysOn);
  const here = [
    ['Ctrl K', strings.openFinder],
    ...offered.map(({ key, label }) => [key.length === 1 ? key.toUpperCase() : key, label]),
  ];
  return (
    <Dialog title={strings.keysTitle} onClose={onClose}>
      <Choice
        label={strings.keysOn}
        hint={strings.keysOnHint}
        checked={on}
        onChange={(event) => {
          switchKeys(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
      />
      <Keys title={strings.everywhere} keys={here} />
      <Keys title={strings.inTables} keys={strings.tableKeys} />
    </Dialog>
  );
}

const Keys = ({ title, keys }: { title: string; keys: readonly (readonly (string | undefined)[])[] }) => (
  <section>
    <h3>{title}</h3>
    <dl class="key-list">
      {keys.map(([key, label]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  </section>
);
