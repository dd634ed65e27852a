import { isProblem } from '../../api.ts';
import { TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Loading } from '../../components/states.tsx';
import { ZoneField } from '../../components/zone-field.tsx';
import { daysFrom, formatClock, formatDate, formatExactTime, formatTime, withClocks } from '../../format.ts';
import type { Timing } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';
import type { Occurrence, usePreview } from './use-preview.ts';

/** The next reminders, for a person in any zone. */
export function Preview({
  timing: { type, from },
  preview: { data, error, loading, options, setOptions, reload },
}: {
  timing: Timing;
  preview: ReturnType<typeof usePreview>;
}) {
  return (
    <section class="card preview" aria-labelledby="preview" aria-busy={loading}>
      <h2 id="preview">{strings.preview}</h2>
      <ZoneField
        label={strings.previewZone}
        value={options.zone}
        onChange={(event) => setOptions({ zone: event.currentTarget.value })}
      />
      {type === 'fixed' && (
        <TextField
          label={
            typeof from === 'object'
              ? strings.previewStarts.date(from.date)
              : strings.previewStarts[from ?? 'download']
          }
          type="date"
          value={options.dayZero}
          required
          onInput={(event) => setOptions({ dayZero: event.currentTarget.value })}
        />
      )}
      {type === 'triggered' && (
        <TextField
          label={strings.previewResponded}
          type="datetime-local"
          value={options.respondedAt}
          required
          onInput={(event) => setOptions({ respondedAt: event.currentTarget.value })}
        />
      )}
      <details>
        <summary>{strings.previewOptions}</summary>
        <div class="form">
          <TextField
            label={strings.previewFrom}
            type="date"
            value={options.from}
            onInput={(event) => setOptions({ from: event.currentTarget.value })}
          />
          <div class="pair">
            <TextField
              label={strings.previewQuietFrom}
              type="time"
              value={options.quietFrom}
              onInput={(event) => setOptions({ quietFrom: event.currentTarget.value })}
            />
            <TextField
              label={strings.previewQuietTo}
              type="time"
              value={options.quietTo}
              onInput={(event) => setOptions({ quietTo: event.currentTarget.value })}
            />
          </div>
        </div>
      </details>
      {isProblem(error, 'request.invalid') ? (
        <p class="muted">{strings.previewFault}</p>
      ) : error ? (
        <ProblemNote error={error} onRetry={reload} />
      ) : !data ? (
        <Loading />
      ) : data.occurrences.length === 0 ? (
        <p class="muted">{strings.previewNone}</p>
      ) : (
        <>
          {data.draw && <p class="hint">{strings.previewExample}</p>}
          <Occurrences list={data.occurrences} zone={options.zone} />
        </>
      )}
    </section>
  );
}

/** Reminders of a person, with the number of their days if day 0 is given. */
export const Occurrences = ({
  list,
  zone,
  dayZero,
}: {
  list: readonly Occurrence[];
  zone: string;
  dayZero?: string | undefined;
}) => (
  <ol class="occurrences">
    {list.map((occurrence) => (
      <Shown
        key={`${occurrence.on}/${occurrence.slot ?? 0}`}
        zone={zone}
        day={dayZero && daysFrom(dayZero, occurrence.on) - 1}
        {...occurrence}
      />
    ))}
  </ol>
);

function Shown({
  on,
  dueAt,
  nudges,
  note,
  zone,
  day,
}: Occurrence & { zone: string; day: number | '' | undefined }) {
  return (
    <li>
      {typeof day === 'number' && <span class="muted">{strings.courses.day(day)} </span>}
      <time dateTime={dueAt} title={formatExactTime(dueAt, zone)}>
        {formatDate(on)} <strong>{formatClock(dueAt, zone)}</strong>
      </time>
      {nudges && nudges.length > 0 && (
        <p class="muted">{strings.nudgesAt(nudges.map((at) => formatNudge(at, dueAt, zone)))}</p>
      )}
      {note && (
        <p class="clock-note">
          <Icon name="clock" />
          {withClocks(note, zone)}
        </p>
      )}
    </li>
  );
}

/** With its date if the nudge comes days after its reminder. */
const formatNudge = (at: string, dueAt: string, zone: string) =>
  Date.parse(at) - Date.parse(dueAt) < halfDayMs ? formatClock(at, zone) : formatTime(at, zone);

const halfDayMs = 43_200_000;
