import { Choice, Group, Options, SelectField, TextField } from '../../components/form.tsx';
import { parseDays } from './day-lists.ts';
import { anchorOf } from './describe.ts';
import type { DayKind, DraftProps } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** The days: of the week, or from day 0 on. */
export function DayFields({ draft, set }: DraftProps) {
  const { type, days, weekdays } = draft;
  const isRolling = type === 'rolling';
  const kinds: DayKind[] = isRolling ? ['every', 'listed'] : ['every', 'listed', 'repeated', 'bursts'];
  return (
    <>
      <Group
        label={strings.days}
        fault={days === 'listed' && isRolling && weekdays.length === 0 ? strings.noDays : undefined}
      >
        <div class="choice-row">
          {kinds.map((kind) => (
            <Choice
              key={kind}
              type="radio"
              name="days"
              label={kind === 'listed' && isRolling ? strings.someWeekdays : strings.dayKinds[kind]}
              checked={days === kind}
              onChange={() => set({ days: kind })}
            />
          ))}
        </div>
        {days === 'listed' && isRolling && (
          <Weekdays days={weekdays} onChange={(chosen) => set({ weekdays: chosen })} />
        )}
      </Group>
      {isRolling && <Pick draft={draft} set={set} />}
      {days === 'listed' && !isRolling && <DayList draft={draft} set={set} />}
      {(days === 'repeated' || days === 'bursts') && <Repeated draft={draft} set={set} />}
    </>
  );
}

/** All of the weekdays, or some of them at random. */
function Pick({ draft: { days, weekdays, pick }, set }: DraftProps) {
  const listed = days === 'every' ? 7 : weekdays.length;
  // A choice that does not fit any more stays, with the service's fault.
  const most = Math.max(Math.min(6, listed), Number(pick));
  return (
    <div class="narrow">
      <SelectField
        label={strings.pick}
        pointer="/reminders/pick"
        hint={pick ? strings.pickHint : undefined}
        value={pick}
        onChange={(event) => set({ pick: event.currentTarget.value })}
      >
        <Options
          of={Array.from({ length: most + 1 }, (_, n) => [n ? `${n}` : '', strings.picks(n)])}
          chosen={pick}
        />
      </SelectField>
    </div>
  );
}

function DayList({ draft: { daysAfter, from }, set }: DraftProps) {
  const label = strings.daysAfter(anchorOf(from));
  const fault = parseDays(daysAfter) === undefined ? strings.daysAfterFault : undefined;
  return (
    <Group
      label={label}
      pointer="/reminders/days"
      hint={strings.daysAfterHint(typeof from === 'object')}
      fault={fault}
    >
      <input
        type="text"
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        autocomplete="off"
        value={daysAfter}
        onInput={(event) => set({ daysAfter: event.currentTarget.value })}
      />
    </Group>
  );
}

/** A day, or several in a row, at regular intervals. */
function Repeated({ draft: { days, repeated }, set }: DraftProps) {
  const fields = [
    ...(days === 'bursts' ? (['burst'] as const) : []),
    days === 'bursts' ? ('apart' as const) : ('every' as const),
    'times' as const,
  ];
  return (
    <Group label={strings.repeated[days === 'bursts' ? 'bursts' : 'days']} hint={strings.repeated.hint}>
      <div class="repeated-fields">
        {fields.map((field) => {
          const name = field === 'apart' ? 'every' : field;
          return (
            <TextField
              key={field}
              label={strings.repeated[field]}
              pointer={`/reminders/days/${name}`}
              inputMode="numeric"
              value={repeated[name]}
              onInput={(event) => set({ repeated: { ...repeated, [name]: event.currentTarget.value } })}
            />
          );
        })}
      </div>
    </Group>
  );
}

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
