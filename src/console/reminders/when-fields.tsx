import { Button } from '../components/button.tsx';
import { Choice, Group } from '../components/fields.tsx';
import { TextField } from '../components/form.tsx';
import { strings } from '../strings/reminders.ts';
import { useStudy } from '../study.ts';
import { type Draft, expressionOf, newKey, type WindowDraft, withExpression } from './draft.ts';
import { parseDays } from './recurrence.ts';

export interface DraftProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

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
        <Windows draft={draft} set={set} />
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

function Windows({ draft: { windows, minGap }, set }: DraftProps) {
  const setWindow = (key: number, change: Partial<WindowDraft>) =>
    set({ windows: windows.map((window) => (window.key === key ? { ...window, ...change } : window)) });
  return (
    <Group label={strings.windows} hint={strings.windowsHint} pointer="/reminders/windows">
      {windows.map(({ key, from, to, count }, n) => (
        <fieldset key={key} class="window">
          <legend class="hidden-label">{strings.window(n + 1)}</legend>
          <TextField
            label={strings.from}
            pointer={`/reminders/windows/${n}/from`}
            type="time"
            required
            value={from}
            onInput={(event) => setWindow(key, { from: event.currentTarget.value })}
          />
          <TextField
            label={strings.to}
            pointer={`/reminders/windows/${n}/to`}
            type="time"
            required
            value={to}
            onInput={(event) => setWindow(key, { to: event.currentTarget.value })}
          />
          <TextField
            label={strings.count}
            pointer={`/reminders/windows/${n}/count`}
            inputMode="numeric"
            value={count}
            onInput={(event) => setWindow(key, { count: event.currentTarget.value })}
          />
          <Button
            kind="quiet"
            icon="trash"
            hideLabel
            disabled={windows.length === 1}
            onClick={() => set({ windows: windows.filter((window) => window.key !== key) })}
          >
            {strings.removeWindow(n + 1)}
          </Button>
        </fieldset>
      ))}
      <div class="window-foot">
        <TextField
          label={strings.minGap}
          pointer="/reminders/minGap"
          hint={strings.minGapHint}
          inputMode="numeric"
          value={minGap}
          onInput={(event) => set({ minGap: event.currentTarget.value })}
        />
        <Button
          icon="plus"
          disabled={windows.length === 12}
          onClick={() => set({ windows: [...windows, nextWindow(windows.at(-1)?.to ?? '09:00')] })}
        >
          {strings.addWindow}
        </Button>
      </div>
    </Group>
  );
}

/** Begins where the one before ends, and takes two hours if the day has them. */
function nextWindow(from: string): WindowDraft {
  const hour = Math.min(Number(from.slice(0, 2)) + 2, 23);
  const to = hour === 23 ? '23:59' : `${String(hour).padStart(2, '0')}${from.slice(2)}`;
  return { key: newKey(), from, to, count: '1' };
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
