import { strings } from '../common-strings.ts';

/** Narrows a list to the person with a code. */
export const CodeFilter = ({ value, onChange }: { value: string; onChange: (code: string) => void }) => (
  <label>
    <span>{strings.code}</span>
    <input
      type="search"
      value={value}
      maxLength={40}
      spellcheck={false}
      autocomplete="off"
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  </label>
);
