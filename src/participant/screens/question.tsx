import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type AnswerKind, type Fault, type Item, type Option, pointsOf, withChoice } from '../answers.ts';
import { Button } from '../components.tsx';
import { fill, useTexts } from '../strings/texts.ts';

interface Props {
  item: Item;
  value: string;
  fault: Fault | undefined;
  onChange: (value: string) => void;
}

/** A question and the control of its kind. Several controls are a group, whose name is the question. */
export function Question({ item, value, fault, onChange }: Props) {
  const { texts } = useTexts();
  const id = useId();
  const { answer, label, identifier } = item;
  const said = fault && faultText(fault, answer, texts.survey);
  const described = said ? `${id}-fault` : undefined;
  const star = answer?.required && (
    <>
      <span class="star" aria-hidden="true">
        {' *'}
      </span>
      <span class="unseen"> ({texts.survey.required})</span>
    </>
  );
  const ids = { id, 'aria-describedby': described, 'aria-invalid': fault ? true : undefined };
  const isGroup = answer !== undefined && /^(?:choice|choices|yes-no)$/.test(answer.kind);
  const points = answer?.kind === 'scale' ? pointsOf(answer) : [];
  const content = <Control {...{ answer, value, onChange, ids, name: id, points }} />;
  const isClearable =
    !answer?.required && value !== '' && /^(?:choice|yes-no|scale)$/.test(answer?.kind ?? '');
  const rest = (
    <>
      {said && (
        <p class="fault" id={described}>
          {said}
        </p>
      )}
      {isClearable && (
        <Button
          look="plain"
          class="small"
          aria-label={`${texts.survey.clear}: ${label}`}
          onClick={() => onChange('')}
        >
          {texts.survey.clear}
        </Button>
      )}
    </>
  );
  return isGroup || points.length > 0 ? (
    <fieldset class="card question" data-question={identifier} aria-describedby={described}>
      <legend>
        {label}
        {star}
      </legend>
      {content}
      {rest}
    </fieldset>
  ) : (
    <div class="card question" data-question={identifier}>
      <label for={id}>
        {label}
        {star}
      </label>
      {content}
      {rest}
    </div>
  );
}

function faultText(
  fault: Fault,
  answer: AnswerKind | undefined,
  survey: { missing: string; number: string; low: string; high: string; long: string },
): string {
  const bounds = answer?.kind === 'number' ? { min: answer.min ?? '', max: answer.max ?? '' } : {};
  return fill(survey[fault], bounds);
}

interface ControlProps {
  answer: AnswerKind | undefined;
  value: string;
  onChange: (value: string) => void;
  ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined };
  name: string;
  points: number[];
}

function Control({ answer, value, onChange, ids, name, points }: ControlProps) {
  const { survey } = useTexts().texts;
  const input = {
    ...ids,
    value,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  switch (answer?.kind) {
    case 'number':
      return <input {...input} inputMode={(answer.min ?? -1) < 0 ? 'text' : 'decimal'} autocomplete="off" />;
    case 'time':
    case 'date':
      return <input {...input} type={answer.kind} />;
    case 'yes-no':
      return (
        <Choices
          {...{ name, value, onChange }}
          class="pair"
          options={[
            { value: 'yes', label: survey.yes },
            { value: 'no', label: survey.no },
          ]}
        />
      );
    case 'choice':
      return <Choices {...{ name, value, onChange }} options={answer.options} />;
    case 'choices':
      return (
        <Choices
          {...{ name, value }}
          isMultiple
          options={answer.options}
          onChange={(one) => onChange(withChoice(answer.options, value, one))}
        />
      );
    case 'scale':
      return points.length > 0 ? (
        <Points {...{ name, value, onChange, points }} labels={answer.options ?? []} />
      ) : (
        <Slider {...{ answer, value, onChange, ids }} />
      );
    default:
      return <textarea {...input} rows={3} maxLength={64_000} />;
  }
}

interface ChoicesProps {
  name: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  isMultiple?: boolean;
  class?: string;
}

function Choices({ name, value, options, onChange, isMultiple = false, class: more = '' }: ChoicesProps) {
  const chosen = isMultiple ? value.split(' ') : [value];
  return (
    <div class={`choices ${more}`}>
      {options.map((option) => (
        <label key={option.value} class="choice">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(option.value)}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

interface PointsProps {
  name: string;
  value: string;
  points: readonly number[];
  labels: readonly Option[];
  onChange: (value: string) => void;
}

/** A scale of few points, beside each other. Labels of its ends stand below. */
function Points({ name, value, points, labels, onChange }: PointsProps) {
  const labelOf = (point: number | undefined) => labels.find((one) => one.value === String(point))?.label;
  const [first, last] = [labelOf(points[0]), labelOf(points.at(-1))];
  return (
    <>
      <div class="points" data-many={points.length > 7 || undefined}>
        {points.map((point) => (
          <label key={point} class="point">
            <input
              type="radio"
              name={name}
              checked={value === String(point)}
              aria-label={[point, labelOf(point)].filter((part) => part !== undefined).join(', ')}
              onChange={() => onChange(String(point))}
            />
            <span>{point}</span>
          </label>
        ))}
      </div>
      <Ends first={first} last={last} />
      <Middle>{points.slice(1, -1).map((point) => labelOf(point) && `${point}: ${labelOf(point)}`)}</Middle>
    </>
  );
}

const Ends = ({ first, last }: { first: string | undefined; last: string | undefined }) =>
  first || last ? (
    <div class="ends" aria-hidden="true">
      <span>{first}</span>
      <span>{last}</span>
    </div>
  ) : null;

const Middle = ({ children }: { children: ComponentChildren[] }) => {
  const told = children.filter(Boolean);
  return told.length > 0 ? (
    <p class="muted" aria-hidden="true">
      {told.join(' · ')}
    </p>
  ) : null;
};

interface SliderProps {
  answer: { min: number; max: number; options?: Option[] | undefined };
  value: string;
  onChange: (value: string) => void;
  ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined };
}

/** A scale of many points. Until it is touched it has no answer, and looks so. */
function Slider({ answer: { min, max, options = [] }, value, onChange, ids }: SliderProps) {
  const { survey } = useTexts().texts;
  const labelOf = (point: number) => options.find((one) => one.value === String(point))?.label;
  const set = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  return (
    <>
      <output class="reading" for={ids.id}>
        {value || survey.unset}
      </output>
      <input
        {...ids}
        type="range"
        min={min}
        max={max}
        value={value || String(Math.round((min + max) / 2))}
        data-unset={value === '' || undefined}
        aria-valuetext={value ? [value, labelOf(Number(value))].filter(Boolean).join(', ') : survey.unset}
        onInput={set}
        onClick={set}
      />
      <div class="ends" aria-hidden="true">
        <span>{labelOf(min) ?? min}</span>
        <span>{labelOf(max) ?? max}</span>
      </div>
    </>
  );
}
