import { Heading, Link } from '../components.tsx';
import type { Given } from '../given.ts';
import { useTexts } from '../strings/texts.ts';
import { headingOf, reasonOf } from '../telling.ts';

/** The fate of answers that were just given, as far as the phone knows. It changes when the phone learns more. */
export function Outcome({ given }: { given: Given }) {
  const { texts } = useTexts();
  const { state, survey, identifier } = given;
  return (
    <>
      <Heading key={state}>{headingOf(given, texts)}</Heading>
      {state === 'sent' ? (
        <div class="nothing">
          <Tick />
        </div>
      ) : (
        <p class={state === 'refused' ? 'note bad' : 'note'}>{reasonOf(given, texts)}</p>
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
