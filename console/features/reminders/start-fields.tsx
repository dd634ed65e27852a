import { Choice, Group, Options, SelectField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { useStudy } from '../../study-context.ts';
import type { DraftProps } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** Day 0 of reminders that each person has on days of their own. */
export function StartFields({ draft: { from = 'download' }, set }: DraftProps) {
  const { study, screenPath, can } = useStudy();
  const declared = study.dates ?? [];
  const chosen = typeof from === 'object' ? from.date : undefined;
  const names = chosen && !declared.includes(chosen) ? [chosen, ...declared] : declared;
  const { start } = strings;
  return (
    <Group label={start.label} pointer="/reminders/from">
      <Choice
        type="radio"
        name="start"
        label={start.download}
        hint={start.downloadHint}
        checked={from === 'download'}
        onChange={() => set({ from: undefined })}
      />
      <Choice
        type="radio"
        name="start"
        label={start.joined}
        checked={from === 'joined'}
        onChange={() => set({ from: 'joined' })}
      />
      <Choice
        type="radio"
        name="start"
        label={start.date}
        hint={names.length === 0 ? start.noDates : start.dateHint}
        disabled={names.length === 0}
        checked={chosen !== undefined}
        onChange={() => set({ from: { date: names[0] ?? '' } })}
      />
      {chosen !== undefined && (
        <div class="narrow">
          <SelectField
            label={start.which}
            pointer="/reminders/from/date"
            value={chosen}
            onChange={(event) => set({ from: { date: event.currentTarget.value } })}
          >
            <Options of={names.map((name) => [name, name])} chosen={chosen} />
          </SelectField>
        </div>
      )}
      {chosen !== undefined && !declared.includes(chosen) && (
        <p class="note warn">
          <Icon name="warning" />
          <span class="grow">{start.undeclared(chosen)}</span>
          {can('own') && <a href={screenPath('/settings')}>{start.settings}</a>}
        </p>
      )}
    </Group>
  );
}
