import { Icon, Link } from '../components.tsx';
import type { Survey } from '../snapshot.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { type Submission, submittedAt } from '../submissions.ts';
import { momentText } from '../time.ts';
import { reasonOf } from '../wording.ts';

interface Props {
  submission: Submission;
  survey: Survey | undefined;
  now: number;
}

/** The fate of some answers. Those that the study has can be looked at, and corrected. */
export function SubmissionRow({ submission, survey, now }: Props) {
  const { texts, locale } = useTexts();
  const isSent = submission.state === 'sent';
  const at = fill(texts.today.doneAt, { time: momentText(submittedAt(submission), now, locale) });
  return (
    <li>
      <span class={isSent ? 'good' : 'muted'}>
        <Icon name={isSent ? 'check' : 'cloud'} />
      </span>
      <div>
        {survey?.name ?? texts.sent.title}
        <span class="muted">{isSent ? at : `${at} · ${reasonOf(submission, texts)}`}</span>
        {isSent && (
          <p>
            <Link to={{ view: 'answer', survey: submission.survey, response: submission.identifier }}>
              {texts.sent.see}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
