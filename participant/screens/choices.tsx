import type { ComponentChildren } from 'preact';
import type { Option } from '../answers.ts';
import type { FieldIds } from '../components.tsx';
import { useTexts } from '../strings/texts.ts';

/* Controls of answers that are chosen. */

interface ChoicesProps {
  name: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  isMultiple?: boolean;
  class?: string;
}

export function Choices({
  name,
  value,
  options,
  onChange,
  isMultiple = false,
  class: more = '',
}: ChoicesProps) {
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
export function Points({ name, value, points, labels, onChange }: PointsProps) {
  const labelOf = (point: number | undefined) => labels.find(({ value }) => value === String(point))?.label;
  const [first, last] = [labelOf(points[0]), labelOf(points[points.length - 1])];
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
  const labels = children.filter(Boolean);
  return labels.length > 0 ? (
    <p class="muted" aria-hidden="true">
      {labels.join(' · ')}
    </p>
  ) : null;
};

interface SliderProps {
  answer: { min: number; max: number; options?: Option[] | undefined };
  value: string;
  onChange: (value: string) => void;
  ids: FieldIds;
}

/** A scale of many points. Until it is touched it has no answer, and looks so. */
export function Slider({ answer: { min, max, options = [] }, value, onChange, ids }: SliderProps) {
  const { survey } = useTexts().texts;
  const labelOf = (point: number) => options.find((option) => option.value === String(point))?.label;
  const set = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  // At its middle a touch or a press changes nothing, and is an answer all the same.
  const take = (event: { currentTarget: { value: string } }) => {
    if (value === '') set(event);
  };
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
        onPointerUp={take}
        onClick={take}
        onKeyDown={(event) => event.key === ' ' && take(event)}
      />
      <div class="ends" aria-hidden="true">
        <span>{labelOf(min) ?? min}</span>
        <span>{labelOf(max) ?? max}</span>
      </div>
    </>
  );
}
