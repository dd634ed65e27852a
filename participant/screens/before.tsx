import { Button, Heading, Link } from '../components.tsx';
import type { FormStatus } from '../form-status.ts';
import type { Survey } from '../snapshot.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { momentText } from '../time.ts';

interface Props {
  status: FormStatus;
  survey: Survey;
  onAnswer: () => void;
}

/** Said before the form of a reminder that was answered, or is over: a notification may lie on the lock screen for hours. */
export function Before({ status, survey, onAnswer }: Props) {
  const { texts, locale } = useTexts();
  const { answeredAt, expiredAt, isClosed, submission, newer } = status;
  const isAnswered = answeredAt !== undefined;
  const at = answeredAt ?? expiredAt ?? 0;
  const text = isAnswered ? texts.survey.answeredText : texts.survey.expiredText;
  return (
    <>
      <Heading>{isAnswered ? texts.survey.answered : texts.survey.expired}</Heading>
      <p class="muted">{survey.name}</p>
      <p class="lead">
        {isClosed && !isAnswered
          ? texts.survey.closedText
          : fill(text, { time: momentText(at, Date.now(), locale) })}
      </p>
      {submission && (
        <p>
          {submission.state === 'sent' ? (
            <Link to={{ view: 'answer', survey: submission.survey, response: submission.identifier }}>
              {texts.sent.see}
            </Link>
          ) : (
            <Link to={{ view: 'sent' }}>{texts.sent.title}</Link>
          )}
        </p>
      )}
      {newer && (
        <Link
          to={{ view: 'survey', survey: survey.identifier, notification: newer.notification }}
          class="button main wide"
        >
          {texts.survey.newer}
        </Link>
      )}
      <Link to={{ view: 'today' }} class={newer ? 'button quiet wide' : 'button main wide'}>
        {texts.today.title}
      </Link>
      {!isClosed && (
        <Button class="wide" onClick={onAnswer}>
          {isAnswered ? texts.survey.answerAgain : texts.survey.answerLate}
        </Button>
      )}
    </>
  );
}
