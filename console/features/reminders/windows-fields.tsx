import { Button } from '../../components/button.tsx';
import { Group, TextField } from '../../components/form.tsx';
import { type DraftProps, newKey, type WindowDraft, withTimes } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** The windows of a day, and the number of reminders in each. */
export function WindowsFields({ draft, set }: DraftProps) {
  const { windows, minGap } = draft;
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
          onInput={(event) => set(withTimes(draft, { minGap: event.currentTarget.value }))}
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

/** Begins at the end of the previous window, and lasts two hours or until midnight. */
function nextWindow(from: string): WindowDraft {
  const hour = Number(from.slice(0, 2)) + 2;
  const to = hour >= 24 ? '00:00' : `${String(hour).padStart(2, '0')}${from.slice(2)}`;
  return { key: newKey(), from, to, count: '1' };
}
