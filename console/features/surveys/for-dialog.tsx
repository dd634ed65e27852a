import { useState } from 'preact/hooks';
import { api, ifMatch, type Revised, type Survey } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { Badge } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { isBlinded, type PropertyRule, ruleIn, ruleText } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import { strings as dates } from '../dates/dates-strings.ts';
import { ChangeEffects } from '../reminders/change-effect.tsx';
import { useChangeEffect } from '../reminders/use-change-effect.ts';
import { strings } from './survey-strings.ts';

/** The group that takes a survey, in words, and whether only owners see the survey. */
export function ForText({ rule }: { rule: PropertyRule | null | undefined }) {
  const { properties } = useStudy();
  return (
    <>
      {rule ? <bdi>{ruleText(rule)}</bdi> : strings.forEverybody}{' '}
      {isBlinded(rule, properties) && <Badge icon="lock">{strings.blinded}</Badge>}
    </>
  );
}

/** The boxes of the group that takes a survey, for those who see all of the study. */
export function ForFields({ rule }: { rule?: PropertyRule | null | undefined }) {
  const { properties } = useStudy();
  return properties.length === 0 ? null : (
    <RuleFields
      label={strings.for}
      hint={properties.some(({ blinded }) => blinded) ? strings.forHintBlinded : strings.forHint}
      properties={properties}
      rule={rule}
      pointer="/for"
    />
  );
}

/** Changes who takes a survey, and shows before what moves. */
export function ForDialog({
  survey: { value, etag },
  onClose,
  onChanged,
}: {
  survey: Revised<Survey>;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { properties } = useStudy();
  const toast = useToast();
  const [shown, setShown] = useState<{ rule: PropertyRule | null }>();

  async function submit(form: FormData) {
    const rule = ruleIn(form, properties);
    if (value.reminders && JSON.stringify(shown?.rule) !== JSON.stringify(rule)) return setShown({ rule });
    const json = { for: rule };
    try {
      await api.survey[':id'].$patch({ param: { id: value.identifier }, json }, ifMatch(etag));
    } finally {
      onChanged();
    }
    onClose();
    toast({
      text: rule ? strings.forSaved(value.name, ruleText(rule)) : strings.forSavedEverybody(value.name),
    });
  }

  return (
    <FormDialog
      title={strings.forTitle(value.name)}
      submit={shown || !value.reminders ? common.save : dates.show}
      onClose={onClose}
      onSubmit={submit}
    >
      {value.reminders && <p class="muted">{strings.forMoves}</p>}
      <div class="form" onInput={() => setShown(undefined)}>
        <ForFields rule={value.for} />
      </div>
      {shown && <Effect survey={value.identifier} rule={shown.rule} />}
    </FormDialog>
  );
}

function Effect({ survey, rule }: { survey: string; rule: PropertyRule | null }) {
  const counting = useChangeEffect(survey, { for: rule }, false);
  return <ChangeEffects counting={counting} />;
}
