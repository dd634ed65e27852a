import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Unread } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatClock, withClocks } from '../../format.ts';
import { strings } from './participant-strings.ts';

/** Upcoming reminders, with the effects of pauses and quiet hours. */
export function Upcoming({
  survey,
  user,
  zone,
  count,
}: {
  survey: string;
  user: string;
  zone: string;
  count: number;
}) {
  const { data, error, reload } = useAnswer(['upcoming', survey, user, count], (options) =>
    api.survey[':id'].reminders.upcoming.$get(
      { param: { id: survey }, query: { user, count: String(count) } },
      options,
    ),
  );
  if (!data) return <Unread error={error} reload={reload} />;
  const { occurrences, followUp } = data;
  return (
    <>
      {followUp && (
        <p>
          {strings.followUpNext(followUp.kind)} <Time at={followUp.dueAt} zone={zone} />
          {followUp.note && <Note text={followUp.note} zone={zone} />}
        </p>
      )}
      {occurrences.length === 0 && <p class="muted">{strings.noUpcoming}</p>}
      <ol class="occurrences">
        {occurrences.map(({ dueAt, nudges = [], note }) => (
          <li key={dueAt}>
            <Time at={dueAt} zone={zone} distance />
            {nudges.length > 0 && (
              <p class="muted">{strings.nudgesAt(nudges.map((at) => formatClock(at, zone)))}</p>
            )}
            {note && <Note text={note} zone={zone} />}
          </li>
        ))}
      </ol>
    </>
  );
}

const Note = ({ text, zone }: { text: string; zone: string }) => (
  <p class="clock-note">
    <Icon name="clock" />
    {withClocks(text, zone)}
  </p>
);
