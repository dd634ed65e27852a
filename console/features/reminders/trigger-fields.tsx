import { Button } from '../../components/button.tsx';
import { Choice, Group, Options, SelectField, TextAreaField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { SurveyOptions } from '../../components/survey-select.tsx';
import { type Question, useSurveys } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { DurationField } from './duration-field.tsx';
import { type DraftProps, newKey } from './reminder-draft.ts';
import { type Condition, isCompleteTrigger, type TriggerDraft } from './trigger-draft.ts';
import { strings } from './trigger-strings.ts';

/** The responses that trigger reminders, and how long after them a reminder comes. */
export function TriggerFields({ draft, set }: DraftProps) {
  const { study } = useStudy();
  const surveys = useSurveys(study.identifier);
  const { trigger } = draft;
  const { survey, conditions, after, at, each } = trigger;
  const change = (more: Partial<TriggerDraft>) => set({ trigger: { ...trigger, ...more } });
  const items = surveys.find(({ identifier }) => identifier === survey)?.items ?? [];
  return (
    <>
      <Group
        label={strings.which}
        pointer="/reminders/trigger"
        fault={isCompleteTrigger(trigger) ? undefined : strings.incomplete}
      >
        <SelectField
          label={strings.survey}
          pointer="/reminders/trigger/survey"
          value={survey}
          onChange={(event) => change({ survey: event.currentTarget.value, conditions: [] })}
        >
          <option value="">{strings.choose}</option>
          <SurveyOptions surveys={surveys} chosen={survey} />
        </SelectField>
        <Choice
          type="radio"
          name="each"
          label={strings.each}
          hint={strings.eachHint}
          checked={each}
          onChange={() => change({ each: true })}
        />
        <Choice
          type="radio"
          name="each"
          label={strings.first}
          checked={!each}
          onChange={() => change({ each: false })}
        />
        <Conditions items={items} conditions={conditions} onChange={(list) => change({ conditions: list })} />
      </Group>
      <Group label={strings.delay}>
        <DurationField
          label={strings.after}
          pointer="/reminders/trigger/after"
          hint={strings.afterHint}
          value={after}
          onChange={(duration) => change({ after: duration })}
        />
        <Choice
          label={strings.hasTime}
          checked={at !== ''}
          onChange={(event) => change({ at: event.currentTarget.checked ? '08:00' : '' })}
        />
        {at !== '' && (
          <div class="narrow">
            <TextField
              label={strings.time}
              pointer="/reminders/trigger/at"
              hint={strings.timeHint}
              type="time"
              required
              value={at}
              onInput={(event) => change({ at: event.currentTarget.value })}
            />
          </div>
        )}
      </Group>
      <p class="note">
        <Icon name="clock" /> <span class="grow">{strings.edits}</span>
      </p>
    </>
  );
}

function Conditions({
  items,
  conditions,
  onChange,
}: {
  items: readonly Question[];
  conditions: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}) {
  if (items.length === 0) return null;
  const replace = (key: number, more: Partial<Condition>) =>
    onChange(conditions.map((condition) => (condition.key === key ? { ...condition, ...more } : condition)));
  return (
    <>
      {conditions.map(({ key, item, answers }, n) => (
        <Group key={key} label={strings.condition(n + 1)}>
          <SelectField
            label={strings.item}
            value={item}
            onChange={(event) => replace(key, { item: event.currentTarget.value, answers: [] })}
          >
            <option value="">{strings.chooseItem}</option>
            <Options
              of={items.map(({ identifier, label }) => [identifier, label || identifier])}
              chosen={item}
            />
          </SelectField>
          <Answers
            choices={choicesOf(items.find(({ identifier }) => identifier === item))}
            pointer={`/reminders/trigger/where/${item}`}
            answers={answers}
            onChange={(list) => replace(key, { answers: list })}
          />
          <Button
            kind="quiet"
            icon="trash"
            onClick={() => onChange(conditions.filter((other) => other.key !== key))}
          >
            {strings.removeCondition(n + 1)}
          </Button>
        </Group>
      ))}
      <div>
        <Button
          icon="plus"
          disabled={conditions.length >= Math.min(items.length, maxConditions)}
          onClick={() => onChange([...conditions, { key: newKey(), item: '', answers: [] }])}
        >
          {strings.addCondition}
        </Button>
      </div>
    </>
  );
}

const maxConditions = 20;

interface Choices {
  value: string;
  label: string;
}

function Answers({
  choices,
  pointer,
  answers,
  onChange,
}: {
  /** The answers to choose from; undefined: any text may be an answer. */
  choices: readonly Choices[] | undefined;
  pointer: string;
  answers: readonly string[];
  onChange: (answers: string[]) => void;
}) {
  if (!choices)
    return (
      <TextAreaField
        label={strings.answers}
        pointer={pointer}
        hint={strings.answersHint}
        value={answers.join('\n')}
        onInput={(event) => onChange(event.currentTarget.value.split('\n').filter((line) => line !== ''))}
      />
    );
  return (
    <fieldset class="pills">
      <legend>{strings.answers}</legend>
      {choices.map(({ value, label }) => (
        <label key={value} class="pill">
          <input
            type="checkbox"
            checked={answers.includes(value)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? choices
                      .map((choice) => choice.value)
                      .filter((other) => other === value || answers.includes(other))
                  : answers.filter((other) => other !== value),
              )
            }
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Points of a scale that are shown as choices. */
const maxPoints = 21;

function choicesOf(item: Question | undefined): Choices[] | undefined {
  const answer = item?.answer;
  if (answer?.kind === 'choice') return answer.options;
  if (answer?.kind === 'yes-no') return ['yes', 'no'].map((value) => ({ value, label: value }));
  if (answer?.kind !== 'scale' || answer.max - answer.min >= maxPoints) return undefined;
  return Array.from({ length: answer.max - answer.min + 1 }, (_, n) => {
    const value = String(answer.min + n);
    const label = answer.options?.find((option) => option.value === value)?.label;
    return { value, label: label ? `${value} (${label})` : value };
  });
}
