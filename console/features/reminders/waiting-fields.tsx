import { Button } from '../../components/button.tsx';
import { Choice, Group, SelectField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { type DraftProps, overlaps, proposedExpiry, withNudges } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** Expiry, quiet hours and nudges. */
export function WaitingFields({ draft, set }: DraftProps) {
  const { expiresAfter, unlessAnswered, answerWithin, refusesLate, hasNudges, nudges, isWindowed } = draft;
  const proposed = proposedExpiry(draft);
  const setNudges = (change: Partial<typeof nudges>) => set({ nudges: { ...nudges, ...change } });
  return (
    <section class="card form" aria-labelledby="open">
      <h2 id="open">{strings.open}</h2>
      <div class="narrow">
        <TextField
          label={strings.expiresAfter}
          pointer="/reminders/expiresAfter"
          hint={strings.expiresHint(Number(expiresAfter))}
          inputMode="numeric"
          value={expiresAfter}
          onInput={(event) => set({ expiresAfter: event.currentTarget.value })}
        />
      </div>
      {proposed !== undefined && overlaps(draft) && (
        <p class="note warn">
          <Icon name="clock" />
          <span class="grow">{strings.overlap(Number(draft.minGap))}</span>
          <Button onClick={() => set({ expiresAfter: proposed })}>{strings.propose(Number(proposed))}</Button>
        </p>
      )}
      <Choice
        label={strings.unlessAnswered}
        hint={isWindowed ? strings.unlessAnsweredRandom : strings.unlessAnsweredHint}
        checked={unlessAnswered}
        onChange={(event) => set({ unlessAnswered: event.currentTarget.checked })}
      />
      <div class="narrow">
        <TextField
          label={strings.answerWithin}
          pointer="/reminders/answerWithin"
          hint={strings.answerWithinHint}
          inputMode="numeric"
          value={answerWithin}
          onInput={(event) => set({ answerWithin: event.currentTarget.value })}
        />
      </div>
      {answerWithin?.trim() && (
        <Choice
          label={strings.refusesLate}
          hint={strings.refusesLateHint}
          checked={refusesLate}
          onChange={(event) => set({ refusesLate: event.currentTarget.checked })}
        />
      )}
      <Group label={strings.nudges} pointer="/reminders/followUps">
        <Choice
          label={strings.hasNudges}
          hint={strings.nudgesHint}
          checked={hasNudges}
          onChange={(event) => set(event.currentTarget.checked ? withNudges(draft) : { hasNudges: false })}
        />
        {hasNudges && (
          <div class="nudge-fields">
            <TextField
              label={strings.every}
              pointer="/reminders/followUps/every"
              inputMode="numeric"
              value={nudges.every}
              onInput={(event) => setNudges({ every: event.currentTarget.value })}
            />
            <TextField
              label={strings.max}
              pointer="/reminders/followUps/max"
              inputMode="numeric"
              value={nudges.max}
              onInput={(event) => setNudges({ max: event.currentTarget.value })}
            />
            <SelectField
              label={strings.stop}
              value={nudges.stop}
              onChange={(event) =>
                setNudges({ stop: event.currentTarget.value === 'opened' ? 'opened' : 'answered' })
              }
            >
              {(['answered', 'opened'] as const).map((stop) => (
                <option key={stop} value={stop} selected={stop === nudges.stop}>
                  {strings.stops[stop]}
                </option>
              ))}
            </SelectField>
          </div>
        )}
      </Group>
      <p class="note">
        <Icon name="clock" /> <span class="grow">{strings.quiet}</span>
      </p>
    </section>
  );
}
