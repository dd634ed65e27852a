import { useId } from 'preact/hooks';
import {
  type AnswerKind,
  excessOf,
  type Fault,
  firstDate,
  type Item,
  lastDate,
  pointsOf,
  readingsOf,
  withChoice,
} from '../answers.ts';
import { Button, type FieldIds } from '../components.tsx';
import { fill, useTexts } from '../strings/texts.ts';
import { Choices, Points, Slider } from './choices.tsx';
import { Reading } from './reading.tsx';

interface Props {
  item: Item;
  value: string;
  fault: Fault | undefined;
  onChange: (value: string) => void;
  /** Chooses what a number means that can be read in two ways. */
  onRead: (reading: string) => void;
}

/** A question and the control of its kind. Several controls are a group, whose name is the question. */
export function Question({ item, value, fault, onChange, onRead }: Props) {
  const { texts } = useTexts();
  const id = useId();
  const { answer, label, identifier } = item;
  const readings = fault === 'ambiguous' ? readingsOf(item, value) : undefined;
  const said = fault && !readings && faultText(fault, { answer, value }, texts.survey);
  const described = fault ? `${id}-fault` : undefined;
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
      {readings && <Reading id={described} readings={readings} onRead={onRead} />}
      {isClearable && (
        <Button
          variant="plain"
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
  { answer, value }: { answer: AnswerKind | undefined; value: string },
  survey: Readonly<Record<Fault, string>>,
): string {
  const { min = '', max = '' } = answer?.kind === 'number' ? answer : {};
  return fill(survey[fault], { min, max, n: excessOf(value) });
}

interface ControlProps {
  answer: AnswerKind | undefined;
  value: string;
  onChange: (value: string) => void;
  ids: FieldIds;
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
      return (
        <input
          {...input}
          inputMode={(answer.min ?? -1) < 0 ? 'text' : 'decimal'}
          enterkeyhint="next"
          autocomplete="off"
        />
      );
    case 'time':
      return <input {...input} type="time" />;
    case 'date':
      return <input {...input} type="date" min={firstDate} max={lastDate} />;
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
          onChange={(choice) => onChange(withChoice(answer.options, value, choice))}
        />
      );
    case 'scale':
      return points.length > 0 ? (
        <Points {...{ name, value, onChange, points }} labels={answer.options ?? []} />
      ) : (
        <Slider {...{ answer, value, onChange, ids }} />
      );
    default:
      return <textarea {...input} rows={3} />;
  }
}
