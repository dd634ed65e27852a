import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { Badge } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useStudy } from '../../study-context.ts';
import { strings } from './item-strings.ts';

interface Answering {
  responder: string;
  survey: string;
  /** The notification that the response answers. */
  notification?: string | null | undefined;
  /** Whether it came later than the reminders allow; null or absent without a limit. */
  late?: boolean | null | undefined;
}

/** Whether a response answers a reminder, and in time. */
export const AnsweredReminder = ({ notification, late }: Answering) =>
  late ? (
    <Badge tone="warn">{strings.late}</Badge>
  ) : notification ? (
    <span>{late === false ? strings.inTime : strings.answersOne}</span>
  ) : (
    <span class="muted">{strings.noReminder}</span>
  );

/** The same with the reminder's time, which leads to its day in the person's time line; for owners and editors. */
export function ReminderLink({
  responder,
  survey,
  notification,
  late,
}: Answering & { notification: string }) {
  const { screenPath } = useStudy();
  const { data } = useAnswer(['notification', notification], (options) =>
    api.notification[':id'].$get({ param: { id: notification } }, options),
  );
  return (
    <>
      {data && (
        <a href={screenPath(`/participants/${responder}?day=${data.on}&survey=${survey}`)}>
          <Time at={data.dueAt} zone={data.timeZone} />
        </a>
      )}
      {late !== null && late !== undefined && (
        <AnsweredReminder responder={responder} survey={survey} notification={notification} late={late} />
      )}
    </>
  );
}
