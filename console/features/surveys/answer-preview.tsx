import { type Answer, type AnswerDraft, answerOf } from './answer-draft.ts';
import { strings } from './survey-strings.ts';

/** Points of a scale that are shown one by one; a longer scale is a slider, as on a phone. */
const maxPoints = 11;

/** Roughly how participants see an item, for the eyes: nothing in it takes a key or a click. */
export function AnswerPreview({ label, draft }: { label: string; draft: AnswerDraft }) {
  return (
    <figure class="answer-preview">
      <figcaption>{strings.preview}</figcaption>
      <div inert>
        <p dir="auto">
          {label || strings.label}
          {draft.required && ' *'}
        </p>
        <Input answer={answerOf(draft) ?? { kind: 'text' }} />
      </div>
    </figure>
  );
}

function Input({ answer }: { answer: Answer }) {
  switch (answer.kind) {
    case 'choice':
    case 'choices':
      return <Options of={answer.options} type={answer.kind === 'choice' ? 'radio' : 'checkbox'} />;
    case 'yes-no':
      return (
        <Options of={[strings.yes, strings.no].map((label) => ({ value: label, label }))} type="radio" />
      );
    case 'scale':
      return answer.max - answer.min < maxPoints ? (
        <Options of={pointsOf(answer)} type="radio" />
      ) : (
        <input type="range" min={answer.min} max={answer.max} tabIndex={-1} aria-label={strings.preview} />
      );
    case 'text':
      return <textarea rows={2} aria-label={strings.preview} />;
    default:
      return <input type={answer.kind} aria-label={strings.preview} />;
  }
}

type Option = { value: string; label: string };

function pointsOf({ min, max, options = [] }: Extract<Answer, { kind: 'scale' }>): Option[] {
  const count = Math.max(0, Math.min(maxPoints, max - min + 1)) || 0;
  return Array.from({ length: count }, (_, n) => {
    const value = String(min + n);
    const label = options.find((option) => option.value === value)?.label;
    return { value, label: label ? `${value} ${label}` : value };
  });
}

const Options = ({ of, type }: { of: readonly Option[]; type: 'radio' | 'checkbox' }) => (
  <>
    {of.map(({ value, label }) => (
      <label key={value} dir="auto">
        <input type={type} /> <span>{label}</span>
      </label>
    ))}
  </>
);
