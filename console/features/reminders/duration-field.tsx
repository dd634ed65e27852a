import type { FieldProps } from '../../components/form.tsx';
import { Options, TextField } from '../../components/form.tsx';
import { type Duration, type Unit, units } from './durations.ts';
import { strings } from './reminder-strings.ts';

/** A number of minutes, hours or days. */
export const DurationField = ({
  value,
  onChange,
  ...field
}: FieldProps & { value: Duration; onChange: (value: Duration) => void }) => (
  <div class="duration">
    <TextField
      {...field}
      inputMode="decimal"
      value={value.amount}
      onInput={(event) => onChange({ ...value, amount: event.currentTarget.value })}
    />
    <select
      aria-label={strings.unitOf(field.label)}
      value={value.unit}
      onChange={(event) => onChange({ ...value, unit: event.currentTarget.value as Unit })}
    >
      <Options
        of={(Object.keys(units) as Unit[]).map((unit) => [unit, strings.units[unit]])}
        chosen={value.unit}
      />
    </select>
  </div>
);
