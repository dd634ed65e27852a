import { useLayoutEffect, useState } from 'preact/hooks';
import { strings } from '../common-strings.ts';

/**
 * Narrows a list to the person with a code. Text that is being typed stays when the list is drawn again, since the value
 * of the address is taken over before the next key.
 */
export function CodeFilter({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const [typed, setTyped] = useState(value);
  useLayoutEffect(() => setTyped(value), [value]);
  return (
    <label>
      <span>{strings.code}</span>
      <input
        type="search"
        value={typed}
        maxLength={40}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </label>
  );
}
