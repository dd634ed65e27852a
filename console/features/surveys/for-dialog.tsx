import { api, ifMatch, type Revised, type Survey } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { Badge } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { isBlinded, type PropertyRule, ruleIn, ruleText } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
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

/** Changes who takes a survey. */
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
  async function save(form: FormData) {
    const rule = ruleIn(form, properties);
    const json = { for: rule };
    try {
      await api.survey[':id'].$patch(
        { param: { id: value.identifier }, json: json as object },
        ifMatch(etag),
      );
    } finally {
      onChanged();
    }
    onClose();
    toast({
      text: rule ? strings.forSaved(value.name, ruleText(rule)) : strings.forSavedEverybody(value.name),
    });
  }
  return (
    <FormDialog title={strings.forTitle(value.name)} submit={common.save} onClose={onClose} onSubmit={save}>
      {value.reminders && <p class="muted">{strings.forMoves}</p>}
      <ForFields rule={value.for} />
    </FormDialog>
  );
}
