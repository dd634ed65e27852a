import type { TargetedEvent } from 'preact';
import { viewerZone, zones } from '../format.ts';
import { Options, SelectField } from './form.tsx';

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
      <Options of={all.map((zone) => [zone, zone.replaceAll('_', ' ')])} chosen={value} />
    </SelectField>
  );
}
