import { Button } from '../../components/button.tsx';
import { Choice, Group, SelectField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { DurationField } from './duration-field.tsx';
import { durationOf, minutesIn } from './durations.ts';
import { type DraftProps, overlaps, proposedExpiry, withNudges } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

/** Expiry, quiet hours and nudges. */
export function WaitingFields({ draft, set }: DraftProps) {
  const { expiry, unlessAnswered, inTime, refusesLate, hasNudges, nudges, isWindowed } = draft;
  const proposed = proposedExpiry(draft);
  const setNudges = (change: Partial<typeof nudges>) => set({ nudges: { ...nudges, ...change } });
  return (
    <section class="card form" aria-labelledby="open">
      <h2 id="open">{strings.open}</h2>
      <DurationField
        label={strings.expiresAfter}
        pointer="/reminders/expiresAfter"
        hint={strings.expiresHint(minutesIn(expiry))}
        value={expiry}
        onChange={(duration) => set({ expiry: duration })}
      />
      {proposed !== undefined && overlaps(draft) && (
        <p class="note warn">
          <Icon name="clock" />
          <span class="grow">{strings.overlap(Number(draft.minGap))}</span>
          <Button onClick={() => set({ expiry: durationOf(proposed) })}>{strings.propose(proposed)}</Button>
        </p>
      )}
      <Choice
        label={strings.unlessAnswered}
        hint={isWindowed ? strings.unlessAnsweredRandom : strings.unlessAnsweredHint}
        checked={unlessAnswered}
        onChange={(event) => set({ unlessAnswered: event.currentTarget.checked })}
      />
      <DurationField
        label={strings.answerWithin}
        pointer="/reminders/answerWithin"
        hint={strings.answerWithinHint}
        value={inTime}
        onChange={(duration) => set({ inTime: duration })}
      />
      {inTime.amount.trim() && (
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
            <DurationField
              label={strings.every}
              pointer="/reminders/followUps/every"
              value={nudges.every}
              onChange={(every) => setNudges({ every })}
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
