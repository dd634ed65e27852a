import { useState } from 'preact/hooks';
import { labelOf } from '../../answer-labels.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Question } from '../../names.ts';
import { strings } from './item-strings.ts';
import { questionsOf } from './response-content.ts';
import { askedAs, type Wording } from './wordings.ts';

const { wording: texts } = strings;

interface Content {
  items: Record<string, string>;
  reasons: Record<string, number>;
  outdated?: boolean | undefined;
}

/** One answer as it was asked, and as the survey would say it now. */
interface Shown {
  key: string;
  question: string;
  answer: string;
  reason: number | undefined;
  /** The question and the answer as the survey says them now, if that differs. */
  now?: { question: string; answer: string } | 'gone' | undefined;
  isUnknown: boolean;
}

/** The answers in the order of the survey, each as it was asked when it was given. */
export function Answers({
  items,
  content,
  wordingOf,
}: {
  items: readonly Question[];
  content: Content;
  wordingOf: (key: string) => Wording | undefined;
}) {
  const all = questionsOf(items, content).map(({ identifier: key, isDropped }): Shown => {
    const wording = wordingOf(key);
    const former = askedAs(key, wording, items);
    const value = content.items[key] ?? '';
    const current = items.find(({ identifier }) => identifier === key);
    const then = { question: former?.label || key, answer: labelOf(former, value) };
    const now = { question: current?.label || key, answer: labelOf(current, value) };
    const hasAnswer = value !== '' || content.reasons[key] !== undefined;
    const differs = then.question !== now.question || then.answer !== now.answer;
    return {
      key,
      ...then,
      reason: content.reasons[key],
      now: !hasAnswer ? undefined : isDropped ? 'gone' : differs ? now : undefined,
      isUnknown: hasAnswer && wording?.items === null,
    };
  });
  const note = all.some(({ isUnknown }) => isUnknown)
    ? texts.unknown
    : all.some(({ now }) => now !== undefined) || content.outdated
      ? texts.changed
      : undefined;
  return (
    <>
      {note && (
        <p class="note warn">
          <Icon name="warning" /> {note}
        </p>
      )}
      <dl class="answers">
        {all.map(({ key, question, answer, reason, now }) => (
          <div key={key}>
            <dt dir="auto">{question}</dt>
            <dd>
              <AnswerText text={answer} />
              {reason !== undefined && <span class="muted"> {strings.response.reasonCode(reason)}</span>}
              {now !== undefined && (
                <p class="muted" dir="auto">
                  {now === 'gone' ? texts.gone : texts.now(now.question, now.answer)}
                </p>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const maxShown = 600;

/** An answer, verbatim. A long answer opens on demand. */
function AnswerText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text === '') return <span class="muted">{strings.response.noAnswer}</span>;
  if (whole || text.length <= maxShown)
    return (
      <span class="answer" dir="auto">
        {text}
      </span>
    );
  return (
    <>
      <span class="answer" dir="auto">
        {text.slice(0, maxShown)}…
      </span>{' '}
      <Button onClick={() => setWhole(true)}>{strings.response.showAll}</Button>
    </>
  );
}
