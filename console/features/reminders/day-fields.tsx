import { Choice, Group } from '../../components/form.tsx';
import { parseDays } from './recurrence.ts';
import { type Draft, type DraftProps, expressionOf } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** Every day or some days: of the week, or after the download. */
export function DayFields({ draft, set }: DraftProps) {
  const { type, isEveryDay, weekdays, daysAfter } = draft;
  const isRolling = type === 'rolling';
  const wrongDays = !isEveryDay && !isRolling && !areDaysSayable(draft);
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

/** An expression for these days exists, whatever the time. */
const areDaysSayable = (draft: Draft) =>
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
