import { Icon, Link } from '../components.tsx';
import { type Given, givenAt } from '../given.ts';
import type { Survey } from '../snapshot.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { reasonOf } from '../telling.ts';
import { momentText } from '../time.ts';

interface Props {
  given: Given;
  survey: Survey | undefined;
  now: number;
}

/** The fate of some answers. Those that the study has can be looked at, and corrected. */
export function GivenRow({ given, survey, now }: Props) {
  const { texts, locale } = useTexts();
  const isSent = given.state === 'sent';
  const at = fill(texts.today.doneAt, { time: momentText(givenAt(given), now, locale) });
  return (
    <li>
      <span class={isSent ? 'good' : 'muted'}>
        <Icon name={isSent ? 'check' : 'cloud'} />
      </span>
      <div>
        {survey?.name ?? texts.sent.title}
        <span class="muted">{isSent ? at : `${at} · ${reasonOf(given, texts)}`}</span>
        {isSent && (
          <p>
            <Link to={{ view: 'answer', survey: given.survey, response: given.identifier }}>
              {texts.sent.see}
            </Link>
          </p>
        )}
      </div>
    </li>
  );
}
