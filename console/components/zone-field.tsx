import type { TargetedEvent } from 'preact';
import { viewerZone, zones } from '../format.ts';
import { SelectField } from './form.tsx';

/** A time zone; by default the viewer's own. */
export function ZoneField({
  value = viewerZone,
  ...more
}: {
  label: string;
  name?: string;
  onChange?: (event: TargetedEvent<HTMLSelectElement>) => void;
  pointer?: string;
  hint?: string;
  value?: string;
}) {
  const all = zones.includes(value) ? zones : [value, ...zones];
  return (
    <SelectField {...more}>
      {all.map((zone) => (
        <option key={zone} value={zone} selected={zone === value}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  );
}
