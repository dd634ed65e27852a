import type { Survey } from '../data/names.ts';

/** Narrows a screen down to one survey. */
export const SurveySelect = ({
  label,
  any,
  value,
  surveys,
  onChange,
}: {
  label: string;
  /** Instead of any one of them; without it, one is always chosen. */
  any?: string;
  value: string;
  surveys: readonly Survey[];
  onChange: (survey: string) => void;
}) => (
  <label>
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {any !== undefined && <option value="">{any}</option>}
      {surveys.map(({ identifier, name }) => (
        <option key={identifier} value={identifier} selected={identifier === value}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
