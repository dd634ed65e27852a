import { useLayoutEffect, useState } from 'preact/hooks';
import { Button, Field } from '../components.tsx';
import { changeMe } from '../participation.ts';
import type { Survey } from '../snapshot.ts';
import { useTexts } from '../strings/texts.ts';
import { useChange } from './change.tsx';

/** Random moments, reminders that follow an answer, and those on the study's clock keep their times. */
const moves = ({ reminders }: Survey) =>
  reminders !== null &&
  reminders.type !== 'triggered' &&
  (reminders.windows?.length ?? 0) === 0 &&
  reminders.clock !== 'study';

interface Props {
  time: string;
  surveys: readonly Survey[];
}

/** The time of reminders with a fixed time of day, and whose they are. */
export function TimeForm({ time, surveys }: Props) {
  const { settings } = useTexts().texts;
  const [value, setValue] = useState(time);
  // As the service says it, once it does; before the next key.
  useLayoutEffect(() => setValue(time), [time]);
  const { change, busy, status } = useChange();
  const save = (next: string) => change(() => changeMe({ customRemindersTime: next || null }));
  const reminding = surveys.filter(({ reminders }) => reminders !== null);
  const moving = reminding.filter(moves);
  if (reminding.length > 0 && moving.length === 0 && time === '')
    return (
      <section class="card">
        <h2>{settings.time}</h2>
        <p class="muted">{settings.noneMoves}</p>
      </section>
    );
  return (
    <section class="card">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(value);
        }}
      >
        <Field label={settings.time} hint={settings.timeText}>
          {(ids) => (
            <input
              {...ids}
              type="time"
              value={value}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
        </Field>
        <Named label={settings.moves} surveys={moving} />
        <Named label={settings.stays} surveys={reminding.filter((survey) => !moves(survey))} />
        <div class="buttons">
          <Button type="submit" busy={busy}>
            {settings.save}
          </Button>
          {value !== '' && (
            <Button
              variant="plain"
              busy={busy}
              onClick={() => {
                setValue('');
                void save('');
              }}
            >
              {settings.asPlanned}
            </Button>
          )}
        </div>
        {status}
      </form>
    </section>
  );
}

function Named({ label, surveys }: { label: string; surveys: readonly Survey[] }) {
  if (surveys.length === 0) return null;
  return (
    <>
      <p class="muted">{label}:</p>
      <ul>
        {surveys.map(({ identifier, name }) => (
          <li key={identifier}>{name}</li>
        ))}
      </ul>
    </>
  );
}
