import { useState } from 'preact/hooks';
import { Button, Link } from '../components.tsx';
import type { Coming } from '../due.ts';
import type { Kept } from '../kept-state.ts';
import { type Survey, surveyIn } from '../snapshot.ts';
import { useTexts } from '../strings/texts.ts';
import { submittedAt } from '../submissions.ts';
import { dayText, timeText } from '../time.ts';
import { SubmissionRow } from './submission-row.tsx';

/** Surveys that were answered today, so that people see what became of their answers. */
export function Done({ kept: { outbox, snapshot }, now }: { kept: Kept; now: number }) {
  const { texts } = useTexts();
  const done = outbox.filter(
    (submission) =>
      submission.state !== 'refused' &&
      submission.state !== 'changing' &&
      new Date(submittedAt(submission)).toDateString() === new Date(now).toDateString(),
  );
  if (done.length === 0) return null;
  return (
    <section aria-labelledby="done">
      <h2 id="done">{texts.today.done}</h2>
      <ul class="rows">
        {done.map((submission) => (
          <SubmissionRow
            key={submission.identifier}
            submission={submission}
            survey={surveyIn(snapshot, submission.survey)}
            now={now}
          />
        ))}
      </ul>
    </section>
  );
}

export function Others({ surveys }: { surveys: readonly Survey[] }) {
  const { today } = useTexts().texts;
  if (surveys.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">{today.others}</h2>
      <ul class="rows">
        {surveys.map(({ identifier, name }) => (
          <li key={identifier}>
            <Link to={{ view: 'survey', survey: identifier }} class="row-link">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const fewest = 5;

interface UpcomingProps {
  coming: readonly Coming[];
  now: number;
  /** The person's time in some study is not over. */
  hasTime: boolean;
}

export function Upcoming({ coming, now, hasTime }: UpcomingProps) {
  const { texts, locale } = useTexts();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? coming : coming.slice(0, fewest);
  const days = new Map<string, Coming[]>();
  for (const reminder of shown) {
    const day = dayText(reminder.at, now, locale);
    days.set(day, [...(days.get(day) ?? []), reminder]);
  }
  return (
    <section aria-labelledby="coming">
      <h2 id="coming">{texts.today.coming}</h2>
      {coming.length === 0 && (
        <p class="muted">{hasTime ? texts.today.noneComing : texts.ownTime.noneComing}</p>
      )}
      {[...days].map(([day, reminders]) => (
        <div key={day} class="day">
          <h3>{day}</h3>
          <ul class="rows">
            {reminders.map(({ survey, at, isSurprise }) => (
              <li key={`${survey.identifier} ${at}`}>
                <span>
                  {survey.name}
                  <span class="muted">{isSurprise ? texts.today.surprise : timeText(at, locale)}</span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {coming.length > shown.length && (
        <Button variant="plain" class="wide" onClick={() => setShowsAll(true)}>
          {texts.today.more}
        </Button>
      )}
    </section>
  );
}
