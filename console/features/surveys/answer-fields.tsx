import { Choice, Options, SelectField, TextAreaField, TextField } from '../../components/form.tsx';
import { useStudy } from '../../study-context.ts';
import { type AnswerDraft, hasBounds, hasOptions, kinds, withKind } from './answer-draft.ts';
import { strings } from './survey-strings.ts';

interface Props {
  draft: AnswerDraft;
  pointer: string;
  set: (draft: AnswerDraft) => void;
}

/** How an item is answered; `pointer` leads to its `answer`. */
export function AnswerFields({ draft, pointer, set }: Props) {
  const { kind, required, min, max, options } = draft;
  return (
    <div class="answer-kind-fields">
      <SelectField
        label={strings.answeredBy}
        pointer={`${pointer}/kind`}
        value={kind}
        onChange={(event) => {
          const chosen = kinds.find((name) => name === event.currentTarget.value);
          if (chosen) set(withKind(draft, chosen));
        }}
      >
        <Options of={kinds.map((name) => [name, strings.kinds[name]])} chosen={kind} />
      </SelectField>
      {hasBounds(kind) && (
        <>
          <TextField
            label={strings.min}
            pointer={`${pointer}/min`}
            value={min}
            onInput={(event) => set({ ...draft, min: event.currentTarget.value })}
          />
          <TextField
            label={strings.max}
            pointer={`${pointer}/max`}
            value={max}
            onInput={(event) => set({ ...draft, max: event.currentTarget.value })}
          />
        </>
      )}
      {hasOptions(kind) && (
        <TextAreaField
          label={kind === 'scale' ? strings.points : strings.options}
          hint={strings.optionsHint}
          pointer={`${pointer}/options`}
          value={options}
          dir="auto"
          onInput={(event) => set({ ...draft, options: event.currentTarget.value })}
        />
      )}
      {kind === 'date' && <SetsField draft={draft} pointer={pointer} set={set} />}
      <Choice
        label={strings.required}
        checked={required}
        onChange={(event) => set({ ...draft, required: event.currentTarget.checked })}
      />
    </div>
  );
}

/** The date of the person's own that an answer sets; nothing in a study without such dates. */
function SetsField({ draft, pointer, set }: Props) {
  const { dates = [] } = useStudy().study;
  const { sets } = draft;
  const names = sets === '' || dates.includes(sets) ? dates : [sets, ...dates];
  if (names.length === 0) return null;
  return (
    <SelectField
      label={strings.sets}
      hint={strings.setsHint}
      pointer={`${pointer}/sets`}
      value={sets}
      onChange={(event) => set({ ...draft, sets: event.currentTarget.value })}
    >
      <Options of={[['', strings.setsNone], ...names.map((name) => [name, name] as const)]} chosen={sets} />
    </SelectField>
  );
}
