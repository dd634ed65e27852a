import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { Time } from '../../components/time.tsx';
import { strings } from './participant-strings.ts';

/** The zones that a person's reminders went by, newest first: why a reminder came at four in the morning. */
export function ZoneHistory({ user }: { user: string }) {
  const { data } = useAnswer(['zones', user], (options) =>
    api.user[':id']['time-zones'].$get({ param: { id: user } }, options),
  );
  // A single zone stands above.
  if (!data || data.timeZones.length < 2) return null;
  return (
    <details>
      <summary>{strings.zones(data.timeZones.length)}</summary>
      <ol class="plain-list">
        {data.timeZones.map(({ timeZone, since, from }) => (
          <li key={`${since} ${timeZone}`}>
            {strings.zoneSince(timeZone)} <Time at={since} zone={timeZone} />{' '}
            <span class="muted">{strings.zoneFrom[from]}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
