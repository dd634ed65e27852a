import { Button } from '../components/button.tsx';
import { Choice, Group } from '../components/fields.tsx';
import { TextField } from '../components/form.tsx';
import { strings } from '../strings/reminders.ts';
import { useStudy } from '../study.ts';
import { type Draft, type DraftProps, expressionOf, withExpression } from './draft.ts';
import { parseDays } from './recurrence.ts';
import { WindowsFields } from './windows-fields.tsx';

/** On which days, and at what time. */
export function WhenFields({ draft, set }: DraftProps) {
  const { study } = useStudy();
  const { type, expression } = draft;
  return (
    <section class="card form" aria-labelledby="when">
      <h2 id="when">{strings.when}</h2>
      <Group label={strings.type}>
        {(['rolling', 'fixed'] as const).map((choice) => (
          <Choice
            key={choice}
            type="radio"
            name="type"
            label={strings[choice]}
            hint={strings[`${choice}Hint`]}
            checked={type === choice}
            onChange={() => set({ type: choice, expression: null })}
          />
        ))}
      </Group>
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
    </section>
  );
}

function DayFields({ draft, set }: DraftProps) {
  const { type, isEveryDay, weekdays, daysAfter } = draft;
  const isRolling = type === 'rolling';
  const wrongDays = !isEveryDay && !isRolling && !isSayable(draft);
  return (
    <>
      <Group
        label={strings.days}
        fault={!isEveryDay && isRolling && weekdays.length === 0 ? strings.noDays : undefined}
      >
        <div class="choice-row">
          <Choice
            type="radio"
            name="days"
            label={strings.everyDay}
            checked={isEveryDay}
            onChange={() => set({ isEveryDay: true })}
          />
          <Choice
            type="radio"
            name="days"
            label={isRolling ? strings.someWeekdays : strings.someDays}
            checked={!isEveryDay}
            onChange={() => set({ isEveryDay: false })}
          />
        </div>
        {!isEveryDay && isRolling && (
          <Weekdays days={weekdays} onChange={(days) => set({ weekdays: days })} />
        )}
      </Group>
      {!isEveryDay && !isRolling && (
        <Group
          label={strings.daysAfter}
          hint={strings.daysAfterHint}
          fault={wrongDays ? strings.daysAfterFault : undefined}
        >
          <input
            type="text"
            aria-label={strings.daysAfter}
            aria-invalid={wrongDays || undefined}
            autocomplete="off"
            value={daysAfter}
            onInput={(event) => set({ daysAfter: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}

/** There is an expression with these days, whatever the time. */
const isSayable = (draft: Draft) =>
  parseDays(draft.daysAfter) !== undefined && expressionOf({ ...draft, isWindowed: true }) !== undefined;

/** From Monday on. */
function Weekdays({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <fieldset class="pills">
      <legend class="hidden-label">{strings.weekdaysLabel}</legend>
      {[1, 2, 3, 4, 5, 6, 0].map((day) => (
        <label key={day} class="pill">
          <input
            type="checkbox"
            checked={days.includes(day)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...days, day].sort((a, b) => a - b)
                  : days.filter((other) => other !== day),
              )
            }
          />
          <span aria-hidden="true">{strings.weekdays[day]?.slice(0, 3)}</span>
          <span class="hidden-label">{strings.weekdays[day]}</span>
        </label>
      ))}
    </fieldset>
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
            onChange={() => set({ isWindowed: false, expression: null })}
          />
          <Choice
            type="radio"
            name="times"
            label={strings.randomTimes}
            hint={strings.randomHint}
            checked={isWindowed}
            onChange={() => set({ isWindowed: true, expression: null })}
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
              hint={strings.timeHint}
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

/** For who knows crontabs, and asks. */
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
