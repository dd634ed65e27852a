import { useState } from 'preact/hooks';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice, DateField, Form, Options, SelectField } from '../../components/form.tsx';
import { RuleFields } from '../../components/property-fields.tsx';
import { Progress } from '../../components/states.tsx';
import { SurveyOptions } from '../../components/survey-select.tsx';
import { type Report, useToast } from '../../components/toast.tsx';
import { formatTime, fromUnix, viewerZone } from '../../format.ts';
import { ruleIn, ruleText } from '../../groups.ts';
import {
  type Choices,
  personIn,
  type Survey,
  useCaseChoices,
  useCaseLabels,
  useMemberChoices,
  usePeople,
  useSurveys,
} from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { keepDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import { lockMatching, type MatchingFilter, mayUnlockSome, type Statement } from './item-changes.ts';
import { sinceOf } from './item-filters.tsx';
import type { Kind } from './item-kinds.ts';
import { strings } from './item-strings.ts';
import { policyOfGroup } from './lock-policy.ts';
import { type Matched, undoMatching } from './undo-matching.ts';

/** A filter with its counts, and the question before the change. */
export interface PendingMatching {
  status: 'locked' | 'unlocked';
  filter: MatchingFilter;
  counts: { cases: number; responses: number };
  statement?: Statement;
}

export const matchingDraft = 'matching';

interface Props {
  /** The action to begin with; by default to lock. */
  status?: PendingMatching['status'] | undefined;
  /** The list's own filter, as the initial value. */
  filter: Omit<MatchingFilter, 'kinds'>;
  pending?: PendingMatching | undefined;
  onClose: () => void;
  onChanged: () => void;
}

/** Locks or unlocks all items that match a filter: counts first, then asks. */
export function LockMatchingDialog({ status = 'locked', filter, pending, onClose, onChanged }: Props) {
  const surveys = useSurveys(useStudy().id);
  const [asking, setAsking] = useState(pending);
  const [chosen, setChosen] = useState<Chosen>(pending ?? { status, filter });
  const ask = (question: PendingMatching) => {
    setChosen(question);
    setAsking(question);
  };
  return (
    <Dialog title={strings.matching.title} onClose={onClose}>
      {asking ? (
        <Ask
          {...asking}
          surveys={surveys}
          onBack={() => setAsking(undefined)}
          onClose={onClose}
          onChanged={onChanged}
        />
      ) : (
        <Choose surveys={surveys} chosen={chosen} onClose={onClose} onCounted={ask} />
      )}
    </Dialog>
  );
}

interface Known {
  surveys: readonly Survey[];
}

/** A filter as the fields begin with it. */
type Chosen = Pick<PendingMatching, 'status'> & { filter: Partial<MatchingFilter> };

function Choose({
  surveys,
  chosen,
  onClose,
  onCounted,
}: Pick<Props, 'onClose'> & Known & { chosen: Chosen; onCounted: (question: PendingMatching) => void }) {
  const { study, properties, can } = useStudy();
  const { matching } = strings;
  const { filter } = chosen;
  const cases = useCaseChoices(study.identifier);
  const begins = (kind: Kind) =>
    filter.kinds ? filter.kinds.includes(kind) : kind === 'responses' || !(filter.survey || filter.responder);

  async function count(form: FormData) {
    const status = form.get('status') === 'unlocked' ? 'unlocked' : 'locked';
    const of = (name: string) => String(form.get(name) ?? '');
    const [survey, ofCase, responder, before] = [of('survey'), of('case'), of('responder'), of('before')];
    const since = sinceOf(of('since'));
    const rule = ruleIn(form, properties);
    const filter: MatchingFilter = {
      kinds: (['cases', 'responses'] as const).filter((kind) => form.has(kind)),
      ...(ofCase && { case: ofCase }),
      ...(responder && { responder }),
      ...(survey && { survey }),
      ...(rule && { properties: rule }),
      ...(since !== undefined && { since }),
      ...(before && { before: new Date(before).toISOString() }),
    };
    const counts = await lockMatching(study.identifier, { status, filter, dryRun: true });
    onCounted({ status, filter, counts });
  }

  return (
    <>
      <p class="muted">{matching.about}</p>
      <Form
        submit={matching.count}
        onSubmit={count}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      >
        {mayUnlockSome(study) && (
          <fieldset class="choices">
            <legend>{matching.status}</legend>
            {(['locked', 'unlocked'] as const).map((status) => (
              <Choice
                key={status}
                type="radio"
                name="status"
                value={status}
                label={matching[status]}
                defaultChecked={chosen.status === status}
              />
            ))}
          </fieldset>
        )}
        <fieldset class="choices">
          <legend>{matching.kinds}</legend>
          {(['cases', 'responses'] as const).map((kind) => (
            <Choice
              key={kind}
              type="checkbox"
              name={kind}
              label={strings.kinds[kind]}
              defaultChecked={begins(kind)}
            />
          ))}
        </fieldset>
        <ChoiceField
          label={matching.case}
          name="case"
          any={matching.anyCase}
          hint={cases.hasMore ? `${matching.caseHint} ${matching.moreCases}` : matching.caseHint}
          choices={cases}
          chosen={filter.case}
          useLabel={useCaseLabel}
        />
        {can('readAll') && <PersonField chosen={filter.responder} />}
        <SelectField label={common.survey} name="survey" pointer="/filter/survey" hint={matching.surveyHint}>
          <option value="">{common.anySurvey}</option>
          <SurveyOptions surveys={surveys} chosen={filter.survey} />
        </SelectField>
        {properties.length > 0 && (
          <RuleFields
            label={matching.properties}
            hint={matching.propertiesHint}
            properties={properties}
            rule={filter.properties}
            pointer="/filter/properties"
          />
        )}
        <DateField
          label={strings.since}
          name="since"
          type="datetime-local"
          pointer="/filter/since"
          hint={matching.sinceHint}
          defaultValue={filter.since === undefined ? '' : toLocal(fromUnix(filter.since))}
        />
        <DateField
          label={matching.before}
          name="before"
          type="datetime-local"
          pointer="/filter/before"
          hint={matching.beforeHint(viewerZone)}
          defaultValue={filter.before ? toLocal(filter.before) : ''}
        />
      </Form>
    </>
  );
}

/** An instant as a field of the browser has it. */
function toLocal(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function PersonField({ chosen }: { chosen: string | undefined }) {
  const { study } = useStudy();
  const { matching } = strings;
  const people = useMemberChoices(study.identifier);
  return (
    <ChoiceField
      label={matching.person}
      name="responder"
      any={matching.anyPerson}
      hint={people.hasMore ? `${matching.personHint} ${matching.morePeople}` : matching.personHint}
      choices={people}
      chosen={chosen}
      useLabel={usePersonName}
    />
  );
}

/** One of many by their labels; the chosen one may be none of those that are listed. */
function ChoiceField({
  any,
  choices: { list },
  chosen,
  useLabel,
  ...more
}: {
  label: string;
  name: 'case' | 'responder';
  any: string;
  hint: string;
  choices: Choices;
  chosen: string | undefined;
  useLabel: (id: string | undefined) => string;
}) {
  const [value, setValue] = useState(chosen ?? '');
  const label = useLabel(chosen);
  const isListed = chosen === undefined || list.some(({ identifier }) => identifier === chosen);
  return (
    <SelectField
      {...more}
      pointer={`/filter/${more.name}`}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    >
      <option value="">{any}</option>
      {!isListed && <option value={chosen}>{label}</option>}
      <Options of={list.map(({ identifier, label }) => [identifier, label])} />
    </SelectField>
  );
}

function useCaseLabel(id: string | undefined): string {
  const { study } = useStudy();
  const labels = useCaseLabels(study.identifier, id ? [id] : []);
  return labels.get(id ?? '') ?? (labels.has(id ?? '') ? strings.unknownCase : '…');
}

const usePersonName = (id: string | undefined) => personIn(usePeople(id ? [id] : []), id ?? '') || '…';

/** The filter in words. */
function FilterText({ filter, surveys }: { filter: MatchingFilter; surveys: readonly Survey[] }) {
  const { matching } = strings;
  const ofCase = useCaseLabel(filter.case);
  const person = usePersonName(filter.responder);
  const survey = surveys.find(({ identifier }) => identifier === filter.survey)?.name;
  const parts = [
    filter.case && strings.ofCase(ofCase),
    filter.responder && strings.ofResponder(person),
    filter.survey && matching.ofSurvey(survey ?? '…'),
    filter.properties && matching.ofGroup(ruleText(filter.properties)),
    filter.since !== undefined && strings.sinceDate(formatTime(fromUnix(filter.since))),
    filter.before && matching.createdBefore(formatTime(filter.before)),
  ].filter((part) => typeof part === 'string' && part !== '');
  return (
    <ul class="plain-list muted">
      {(parts.length > 0 ? parts : [matching.everything]).map((part) => (
        <li key={part} dir="auto">
          {part}
        </li>
      ))}
    </ul>
  );
}

function Ask({
  status,
  filter,
  counts,
  statement,
  surveys,
  onBack,
  onClose,
  onChanged,
}: PendingMatching & Pick<Props, 'onClose' | 'onChanged'> & Known & { onBack: () => void }) {
  const { study, can } = useStudy();
  const toast = useToast();
  const { matching } = strings;
  const [working, setWorking] = useState(false);
  const { signature: isSigned } = policyOfGroup(study.lockPolicy, filter.properties);
  const what = strings.both(counts.cases, counts.responses);
  const back = <Button onClick={onBack}>{matching.back}</Button>;

  if (counts.cases + counts.responses === 0)
    return (
      <>
        <p role="status">{matching.foundNothing(status)}</p>
        <FilterText filter={filter} surveys={surveys} />
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
    if (isSigned || !can('readAll')) return false;
    return (
      status === 'unlocked' ||
      policyOfGroup(study.lockPolicy, filter.properties).unlock === 'viewers' ||
      can('own')
    );
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
      <FilterText filter={filter} surveys={surveys} />
      <StatementForm
        submit={matching.go(status, what)}
        statement={statement}
        isSigned={isSigned}
        onSubmit={submit}
        keep={(typed) =>
          keepDraft<PendingMatching>(matchingDraft, { status, filter, counts, statement: typed })
        }
        beside={back}
      >
        {working && <Progress label={matching.working(what)} />}
      </StatementForm>
    </>
  );
}
