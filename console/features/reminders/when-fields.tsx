import { Button } from '../../components/button.tsx';
import { Choice, Group, TextField } from '../../components/form.tsx';
import { useStudy } from '../../study-context.ts';
import { DayFields } from './day-fields.tsx';
import { type DraftProps, expressionOf, withExpression, withTimes, withType } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';
import { StartFields } from './start-fields.tsx';
import { TriggerFields } from './trigger-fields.tsx';
import { WindowsFields } from './windows-fields.tsx';

/** The days and times. */
export function WhenFields({ draft, set }: DraftProps) {
  const { type } = draft;
  return (
    <section class="card form" aria-labelledby="when">
      <h2 id="when">{strings.when}</h2>
      <Group label={strings.type}>
        {(['rolling', 'fixed', 'triggered'] as const).map((choice) => (
          <Choice
            key={choice}
            type="radio"
            name="type"
            label={strings[choice]}
            hint={strings[`${choice}Hint`]}
            checked={type === choice}
            onChange={() => set(withType(draft, choice))}
          />
        ))}
      </Group>
      {type === 'triggered' ? <TriggerFields draft={draft} set={set} /> : <Listed draft={draft} set={set} />}
    </section>
  );
}

/** The days of the calendar, or from day 0 on. */
function Listed({ draft, set }: DraftProps) {
  const { study } = useStudy();
  const { type, expression } = draft;
  return (
    <>
      {type === 'fixed' && <StartFields draft={draft} set={set} />}
      {expression === null ? (
        <DayFields draft={draft} set={set} />
      ) : (
        <div class="note">
          <div>
            <p>{strings.expressionKept}</p>
            <p>
              <code>{expression}</code>
            </p>
          </div>
          <Button onClick={() => set({ expression: null })}>{strings.useForm}</Button>
        </div>
      )}
      <TimeFields draft={draft} set={set} />
      <Group label={strings.clock} pointer="/reminders/clock">
        {(['participant', 'study'] as const).map((choice) => (
          <Choice
            key={choice}
            type="radio"
            name="clock"
            label={choice === 'study' ? strings.studyClock(study.timeZone) : strings.ownClock}
            hint={choice === 'study' ? strings.studyClockHint : strings.ownClockHint}
            checked={draft.clock === choice}
            onChange={() => set({ clock: choice })}
          />
        ))}
      </Group>
      {type === 'rolling' && (
        <div class="pair">
          <TextField
            label={strings.delay}
            pointer="/reminders/delay"
            hint={strings.delayHint(study.startsOn)}
            inputMode="numeric"
            value={draft.delay}
            onInput={(event) => set({ delay: event.currentTarget.value })}
          />
          <TextField
            label={strings.ends}
            pointer="/reminders/ends"
            hint={strings.endsHint}
            inputMode="numeric"
            value={draft.ends}
            onInput={(event) => set({ ends: event.currentTarget.value })}
          />
        </div>
      )}
      <ExpressionField draft={draft} set={set} />
    </>
  );
}

function TimeFields({ draft, set }: DraftProps) {
  const { isWindowed, time, expression } = draft;
  return (
    <>
      <Group label={strings.times}>
        <div class="choice-row">
          <Choice
            type="radio"
            name="times"
            label={strings.oneTime}
            checked={!isWindowed}
            onChange={() => set(withTimes(draft, { isWindowed: false, expression: null }))}
          />
          <Choice
            type="radio"
            name="times"
            label={strings.randomTimes}
            hint={strings.randomHint}
            checked={isWindowed}
            onChange={() => set(withTimes(draft, { isWindowed: true, expression: null }))}
          />
        </div>
      </Group>
      {isWindowed ? (
        <WindowsFields draft={draft} set={set} />
      ) : (
        expression === null && (
          <div class="narrow">
            <TextField
              label={strings.time}
              hint={draft.clock === 'participant' ? strings.timeHint : undefined}
              type="time"
              required
              value={time}
              onInput={(event) => set({ time: event.currentTarget.value })}
            />
          </div>
        )
      )}
    </>
  );
}

/** For people who know crontabs, on demand. */
function ExpressionField({ draft, set }: DraftProps) {
  return (
    <details class="expression">
      <summary>{strings.expression}</summary>
      <TextField
        label={strings.expression}
        pointer="/reminders/recurrence"
        hint={strings.expressionHint}
        spellcheck={false}
        value={expressionOf(draft) ?? ''}
        onInput={(event) => set(withExpression(draft, event.currentTarget.value))}
      />
    </details>
  );
}
