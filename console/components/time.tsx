import { formatDistance, formatExactTime, formatTime } from '../format.ts';

/** A moment in the viewer's zone or in `zone`, always with its name. */
export function Time({ at, zone, distance = false }: { at: string; zone?: string; distance?: boolean }) {
  return (
    <time dateTime={at} title={formatExactTime(at, zone)}>
      {formatTime(at, zone)}
      {distance && <span class="muted"> ({formatDistance(at)})</span>}
    </time>
  );
}
