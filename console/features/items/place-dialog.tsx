import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { newIdentifier } from '../../../client/client.ts';
import { useAnswer } from '../../answers.ts';
import { api, isProblem } from '../../api.ts';
import { Options, SelectField, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { Answers } from './response-answers.tsx';
import type { SetAside } from './set-aside.ts';
import { strings } from './set-aside-strings.ts';
import { useWordings } from './wordings.ts';

const route = api['set-aside'][':id'];

interface Props {
  answer: SetAside;
  onClose: () => void;
  /** Called after a refusal too, since the list was out of date. */
  onChanged: () => void;
}

/** Shows an answer as it was asked, and puts it into a case: one of the study, or a new one. */
export function PlaceDialog({ answer, onClose, onChanged }: Props) {
  const { study, screenPath } = useStudy();
  const { route: go } = useLocation();
  const toast = useToast();
  const [into, setInto] = useState<string>();
  // One identifier per form, so that a second try after a lost answer makes no second case.
  const [fresh] = useState(() => newIdentifier());
  const { data } = useAnswer(['open-cases', study.identifier], (options) =>
    api.investigation[':id'].cases.$get(
      { param: { id: study.identifier }, query: { limit: '1000' } },
      options,
    ),
  );
  const cases = data?.cases.filter(({ status }) => status === 'active') ?? [];
  const proposed = cases.some(({ identifier }) => identifier === answer.case) ? answer.case : fresh;
  const chosen = into ?? proposed;

  async function place(form: FormData) {
    if (chosen === fresh) {
      const json = { identifier: fresh, label: String(form.get('label')).trim() };
      await api.investigation[':id'].case.$post({ param: { id: study.identifier }, json });
    }
    try {
      await route.place.$post({ param: { id: answer.identifier }, json: { case: chosen } });
    } catch (error) {
      if (isProblem(error, 'resource.not-found')) onChanged();
      throw error;
    }
    onClose();
    onChanged();
    toast({ text: strings.placed });
    go(screenPath(`/data/responses/${answer.identifier}`));
  }
  return (
    <FormDialog
      title={strings.placeTitle(answer.name)}
      onClose={onClose}
      submit={strings.placeSubmit}
      onSubmit={place}
    >
      <p>{strings.reasons[answer.reason]}</p>
      <AskedAnswers answer={answer} />
      <SelectField
        label={strings.into}
        pointer="/case"
        hint={data?.next === undefined ? strings.intoHint : `${strings.intoHint} ${strings.moreCases}`}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setInto(value)}
      >
        <option value={fresh}>{strings.newCase}</option>
        <Options of={cases.map(({ identifier, label }) => [identifier, label])} />
      </SelectField>
      {chosen === fresh && (
        <TextField
          label={strings.newLabel}
          name="label"
          pointer="/label"
          maxLength={500}
          dir="auto"
          required
          defaultValue={answer.caseLabel ?? answer.code ?? ''}
        />
      )}
    </FormDialog>
  );
}

/** Asks before an answer is deleted for good. */
export function DiscardDialog({ answer, onClose, onChanged }: Props) {
  const toast = useToast();
  async function discard(form: FormData) {
    const reason = String(form.get('reason')).trim();
    try {
      await route.discard.$post({ param: { id: answer.identifier }, json: reason === '' ? {} : { reason } });
    } catch (error) {
      if (isProblem(error, 'resource.not-found')) onChanged();
      throw error;
    }
    onClose();
    onChanged();
    toast({ text: strings.discarded });
  }
  return (
    <FormDialog
      title={strings.discardTitle(answer.name)}
      onClose={onClose}
      submit={strings.discardSubmit}
      kind="danger"
      onSubmit={discard}
    >
      <p>{strings.discardAbout}</p>
      <AskedAnswers answer={answer} />
      <TextField label={strings.discardReason} name="reason" pointer="/reason" maxLength={500} dir="auto" />
    </FormDialog>
  );
}

/** The answers with the questions of their time. */
function AskedAnswers({ answer }: { answer: SetAside }) {
  const answered = { survey: answer.survey, at: answer.givenAt };
  const wording = useWordings([answered])(answered);
  const { data } = useAnswer(['survey-of-response', answer.survey], (options) =>
    api.survey[':id'].$get({ param: { id: answer.survey } }, options),
  );
  return <Answers items={data?.items ?? []} content={answer} wordingOf={() => wording} />;
}
