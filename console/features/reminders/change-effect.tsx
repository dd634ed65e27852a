import { Choice } from '../../components/form.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Unread } from '../../components/states.tsx';
import { TimeList } from '../../components/time-list.tsx';
import { personIn, usePeople } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './reminder-strings.ts';
import type { ChangeEffect, useChangeEffect } from './use-change-effect.ts';

/** How many people a change concerns, the next reminders of three of them, and whether people are reminded again today. */
export function ChangeEffects({
  counting: { effect, isDone, error, reload },
  again = false,
  onAgain,
}: {
  counting: ReturnType<typeof useChangeEffect>;
  again?: boolean;
  /** Absent where nobody can be reminded again. */
  onAgain?: (again: boolean) => void;
}) {
  const { impact } = strings;
  if (!effect) return <Unread error={error} reload={reload} />;
  const { moved, added, removed, unchanged, againToday, people } = effect;
  return (
    <section aria-labelledby="effect" aria-busy={!isDone}>
      <h3 id="effect">{impact.people(people)}</h3>
      {!isDone && !error && <p class="muted">{impact.counting}</p>}
      {error !== undefined && <ProblemNote error={error} onRetry={reload} />}
      <ul class="plain-list" aria-live="polite">
        {moved > 0 && <li>{impact.moved(moved)}</li>}
        {added > 0 && <li>{impact.added(added)}</li>}
        {removed > 0 && <li>{impact.removed(removed)}</li>}
        {unchanged > 0 && <li>{impact.unchanged(unchanged)}</li>}
      </ul>
      {onAgain && againToday > 0 && (
        <Choice
          label={impact.againChoice(againToday)}
          hint={impact.againHint}
          checked={again}
          onChange={(event) => onAgain(event.currentTarget.checked)}
        />
      )}
      {effect.page.length > 0 && <Examples page={effect.page} />}
    </section>
  );
}

function Examples({ page }: Pick<ChangeEffect, 'page'>) {
  const { impact } = strings;
  const { timeZone } = useStudy().study;
  const names = usePeople(page.map(({ user }) => user));
  return (
    <table class="examples">
      <caption>{impact.examples(page.length, timeZone)}</caption>
      <thead>
        <tr>
          <th scope="col">{impact.person}</th>
          <th scope="col">{impact.before}</th>
          <th scope="col">{impact.after}</th>
        </tr>
      </thead>
      <tbody>
        {page.map(({ user, before, after }) => (
          <tr key={user}>
            <th scope="row">
              <bdi>{personIn(names, user) || strings.impact.person}</bdi>
            </th>
            <td>
              <TimeList list={before} zone={timeZone} none={impact.none} />
            </td>
            <td>
              <TimeList list={after} zone={timeZone} none={impact.none} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
