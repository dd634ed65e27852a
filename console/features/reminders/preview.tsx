import { isProblem } from '../../api.ts';
import { TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Loading } from '../../components/states.tsx';
import { ZoneField } from '../../components/zone-field.tsx';
import { formatClock, formatDate, formatExactTime, withClocks } from '../../format.ts';
import type { Timing } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';
import type { Occurrence, usePreview } from './use-preview.ts';

/** The next reminders, for a person in any zone. */
export function Preview({
  type,
  preview: { data, error, loading, options, setOptions, reload },
}: {
  type: Timing['type'];
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
          label={strings.previewDownloaded}
          type="date"
          value={options.downloadedOn}
          required
          onInput={(event) => setOptions({ downloadedOn: event.currentTarget.value })}
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
          <ol class="occurrences">
            {data.occurrences.map((occurrence) => (
              <Shown key={`${occurrence.on}/${occurrence.slot ?? 0}`} zone={options.zone} {...occurrence} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Shown({ on, dueAt, nudges, note, zone }: Occurrence & { zone: string }) {
  return (
    <li>
      <time dateTime={dueAt} title={formatExactTime(dueAt, zone)}>
        {formatDate(on)} <strong>{formatClock(dueAt, zone)}</strong>
      </time>
      {nudges && nudges.length > 0 && (
        <p class="muted">{strings.nudgesAt(nudges.map((at) => formatClock(at, zone)))}</p>
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
