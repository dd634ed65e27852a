import { useState } from 'preact/hooks';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice, DateField } from '../../components/fields.tsx';
import { Form, SelectField } from '../../components/form.tsx';
import { Progress } from '../../components/states.tsx';
import { SurveyOptions } from '../../components/survey-select.tsx';
import { type Report, useToast } from '../../components/toast.tsx';
import { viewerZone } from '../../format.ts';
import type { Survey } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import { lockMatching, type MatchingFilter, type Statement } from './item-changes.ts';
import { strings } from './item-strings.ts';
import { type Matched, undoMatching } from './undo-matching.ts';

/** A filter with its counts, and the question before the change. */
export interface PendingMatching {
  status: 'locked' | 'unlocked';
  filter: MatchingFilter;
  found: { cases: number; responses: number };
  given?: Statement;
}

export const matchingDraft = 'matching';

interface Props {
  surveys: readonly Survey[];
  /** The list's own filter, as the initial value. */
  filter: Omit<MatchingFilter, 'kinds'>;
  pending?: PendingMatching | undefined;
  onClose: () => void;
  onChanged: () => void;
}

/** Locks or unlocks all items that match a filter: counts first, then asks. */
export function LockMatchingDialog({ surveys, filter, pending, onClose, onChanged }: Props) {
  const [asking, setAsking] = useState(pending);
  return (
    <Dialog title={strings.matching.title} onClose={onClose}>
      {asking ? (
        <Ask {...asking} onBack={() => setAsking(undefined)} onClose={onClose} onChanged={onChanged} />
      ) : (
        <Choose surveys={surveys} filter={filter} onClose={onClose} onFound={setAsking} />
      )}
    </Dialog>
  );
}

function Choose({
  surveys,
  filter,
  onClose,
  onFound,
}: Pick<Props, 'surveys' | 'filter' | 'onClose'> & { onFound: (found: PendingMatching) => void }) {
  const { study } = useStudy();
  const { matching } = strings;
  const mayUnlock = study.role === 'owner' || study.lockPolicy.unlock === 'viewers';

  async function count(given: FormData) {
    const status = given.get('status') === 'unlocked' ? 'unlocked' : 'locked';
    const [survey, before] = [String(given.get('survey')), String(given.get('before'))];
    const chosen: MatchingFilter = {
      ...(filter.case && { case: filter.case }),
      ...(filter.responder && { responder: filter.responder }),
      kinds: (['cases', 'responses'] as const).filter((kind) => given.has(kind)),
      ...(survey && { survey }),
      ...(before && { before: new Date(before).toISOString() }),
    };
    const found = await lockMatching(study.identifier, { status, filter: chosen, dryRun: true });
    onFound({ status, filter: chosen, found });
  }

  return (
    <>
      <p class="muted">{matching.about}</p>
      <Form
        submit={matching.count}
        onSubmit={count}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      >
        {mayUnlock && (
          <fieldset class="choices">
            <legend>{matching.status}</legend>
            <Choice type="radio" name="status" value="locked" label={matching.locked} defaultChecked />
            <Choice type="radio" name="status" value="unlocked" label={matching.unlocked} />
          </fieldset>
        )}
        <fieldset class="choices">
          <legend>{matching.kinds}</legend>
          <Choice type="checkbox" name="cases" label={strings.kinds.cases} defaultChecked={!filter.survey} />
          <Choice type="checkbox" name="responses" label={strings.kinds.responses} defaultChecked />
        </fieldset>
        <SelectField label={common.survey} name="survey" pointer="/filter/survey" hint={matching.surveyHint}>
          <option value="">{common.anySurvey}</option>
          <SurveyOptions surveys={surveys} chosen={filter.survey} />
        </SelectField>
        <DateField
          label={matching.before}
          name="before"
          type="datetime-local"
          pointer="/filter/before"
          hint={matching.beforeHint(viewerZone)}
        />
      </Form>
    </>
  );
}

function Ask({
  status,
  filter,
  found,
  given,
  onBack,
  onClose,
  onChanged,
}: PendingMatching & Pick<Props, 'onClose' | 'onChanged'> & { onBack: () => void }) {
  const { study } = useStudy();
  const toast = useToast();
  const { matching } = strings;
  const [working, setWorking] = useState(false);
  const what = strings.both(found.cases, found.responses);
  const back = <Button onClick={onBack}>{matching.back}</Button>;

  if (found.cases + found.responses === 0)
    return (
      <>
        <p role="status">{matching.foundNothing(status)}</p>
        <div class="form-buttons">{back}</div>
      </>
    );

  async function submit(statement: Statement) {
    setWorking(true);
    try {
      const request = { status, filter, dryRun: false, ...statement };
      const { cases, responses, activity } = await lockMatching(study.identifier, request);
      onClose();
      onChanged();
      const changed = strings.both(cases, responses);
      toast({
        text: status === 'locked' ? strings.done.lock(changed) : strings.done.unlock(changed),
        ...(activity &&
          mayUndo() && { undo: undoOf({ status, activity, total: cases + responses }, changed) }),
      });
    } finally {
      setWorking(false);
    }
  }

  /** A button that says "Undo" gives no signature, and responders may not read the log. */
  function mayUndo() {
    const { signature, unlock } = study.lockPolicy;
    if (signature || study.role === 'responder') return false;
    return status === 'unlocked' || study.role === 'owner' || unlock === 'viewers';
  }
  const undoOf = (matched: Matched, what: string) => async (report: Report) => {
    const show = (done: number) => report({ label: strings.undoing(what), done, total: matched.total });
    show(0);
    await undoMatching(study.identifier, matched, show).finally(onChanged);
    toast({ text: strings.undone });
  };

  return (
    <>
      <p class="figure" role="status">
        {matching.found(status, what)}
      </p>
      <StatementForm
        submit={matching.go(status, what)}
        given={given}
        isSigned={study.lockPolicy.signature}
        onSubmit={submit}
        keep={(typed) => keepDraft<PendingMatching>(matchingDraft, { status, filter, found, given: typed })}
        beside={back}
      >
        {working && <Progress label={matching.working(what)} />}
      </StatementForm>
    </>
  );
}
