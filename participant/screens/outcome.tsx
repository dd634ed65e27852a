import { Heading, Link } from '../components.tsx';
import { useTexts } from '../strings/texts.ts';
import type { Submission } from '../submissions.ts';
import { headingOf, reasonOf } from '../wording.ts';

/** The fate of answers that were just given, as far as the phone knows. It changes when the phone learns more. */
export function Outcome({ submission }: { submission: Submission }) {
  const { texts } = useTexts();
  const { state, survey, identifier } = submission;
  return (
    <>
      <Heading key={state}>{headingOf(submission, texts)}</Heading>
      {state === 'sent' ? (
        <div class="nothing">
          <Tick />
        </div>
      ) : (
        <p class={state === 'refused' ? 'note bad' : 'note'}>{reasonOf(submission, texts)}</p>
      )}
      <Link to={{ view: 'today' }} class="button main wide">
        {texts.today.title}
      </Link>
      <p>
        {state === 'sent' ? (
          <Link to={{ view: 'answer', survey, response: identifier }}>{texts.sent.see}</Link>
        ) : (
          <Link to={{ view: 'sent' }}>{texts.today.refusedLink}</Link>
        )}
      </p>
    </>
  );
}

const Tick = () => (
  <svg class="tick" viewBox="0 0 64 64" aria-hidden="true">
    <circle cx="32" cy="32" r="30" />
    <path d="M20 33l8.500 8.500L45 25" />
  </svg>
);
