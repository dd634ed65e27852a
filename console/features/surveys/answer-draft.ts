import type { Survey } from '../../api.ts';

/* How an item is answered, as a form, and its conversion to the item's `answer`. */

export type Answer = NonNullable<Survey['items'][number]['answer']>;
export type Kind = Answer['kind'];

export const kinds = [
  'text',
  'number',
  'choice',
  'choices',
  'scale',
  'yes-no',
  'time',
  'date',
] as const satisfies Kind[];

/** Numbers and options stay as typed. */
export interface AnswerDraft {
  kind: Kind;
  required: boolean;
  min: string;
  max: string;
  /** A line for each option: its value, a space, and its label. */
  options: string;
  /** The date of the person's own that a date sets; empty: none. */
  sets: string;
}

export function draftOfAnswer(answer: Answer | undefined): AnswerDraft {
  const { kind = 'text', required = false } = answer ?? {};
  const { min, max } = answer && 'min' in answer ? answer : {};
  const options = answer && 'options' in answer ? (answer.options ?? []) : [];
  return {
    kind,
    required,
    min: String(min ?? ''),
    max: String(max ?? ''),
    sets: (answer && 'sets' in answer && answer.sets) || '',
    options: options.map(({ value, label }) => `${value} ${label}`).join('\n'),
  };
}

/** A kind has the fields that it takes; a scale begins with five points. */
export const withKind = (draft: AnswerDraft, kind: Kind): AnswerDraft => ({
  ...draft,
  kind,
  ...(kind === 'scale' && { min: draft.min || '1', max: draft.max || '5' }),
});

export const hasOptions = (kind: Kind) => kind === 'choice' || kind === 'choices' || kind === 'scale';
export const hasBounds = (kind: Kind) => kind === 'number' || kind === 'scale';

/** Any text answers an item without one. */
export function answerOf({ kind, required, ...draft }: AnswerDraft): Answer | undefined {
  const options = optionsOf(draft.options);
  const common = required ? { required } : {};
  switch (kind) {
    case 'text':
      return required ? { kind, required } : undefined;
    case 'number':
      return {
        kind,
        ...(draft.min.trim() && { min: Number(draft.min) }),
        ...(draft.max.trim() && { max: Number(draft.max) }),
        ...common,
      };
    case 'choice':
    case 'choices':
      return { kind, options, ...common };
    case 'scale':
      return {
        kind,
        min: Number(draft.min),
        max: Number(draft.max),
        ...(options.length > 0 && { options }),
        ...common,
      };
    case 'date':
      return { kind, ...(draft.sets && { sets: draft.sets }), ...common };
    default:
      return { kind, ...common };
  }
}

const optionsOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [value = ''] = line.split(/\s/, 1);
      return { value, label: line.slice(value.length).trim() || value };
    });
