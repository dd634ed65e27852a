import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { type Answer, mutate, useAnswer } from '../../answers.ts';
import { api, isProblem, type Revised, revised } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { PropertyFacts } from '../../components/property-fields.tsx';
import { RecordNav } from '../../components/record-nav.tsx';
import { Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { fromUnix } from '../../format.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { CaseDialog } from './case-dialog.tsx';
import { ChangeButtons } from './change-buttons.tsx';
import { ChangeDialog, changeDraft, type PendingChange } from './change-dialog.tsx';
import { asExpected } from './expected-states.ts';
import { ItemHistory } from './item-history.tsx';
import type { Case } from './item-kinds.ts';
import { strings } from './item-strings.ts';
import { LockMatchingDialog, matchingDraft, type PendingMatching } from './lock-matching-dialog.tsx';
import { StateBadge } from './state-badge.tsx';

const route = api.case[':id'];

/** One case: its label, its state, and the way to its responses. */
export function CaseScreen() {
  const { case: id = '' } = useRoute().params;
  const answer = useAnswer(['case', id], async (options) =>
    revised(await route.$get({ param: { id }, query: { include: 'lock' } }, options)),
  );
  const { data, error, reload } = answer;
  const refresh = () => {
    reload();
    mutate(['item-history', id]);
  };
  useStudyChanges(refresh);
  if (isProblem(error, 'resource.not-found')) return <NothingHere />;
  if (data?.value.identifier !== id)
    return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
  return <Shown record={data} mutate={answer.mutate} onChanged={refresh} />;
}

function Shown({
  record,
  mutate,
  onChanged,
}: {
  record: Revised<Case>;
  mutate: Answer<Revised<Case>>['mutate'];
  onChanged: () => void;
}) {
  const { study, properties, screenPath } = useStudy();
  const { identifier: me } = useUser();
  const [asking, setAsking] = useState(() => takeDraft<PendingChange>(changeDraft));
  const [editing, setEditing] = useState(false);
  const [matching, setMatching] = useState<{ pending?: PendingMatching } | undefined>(() => {
    const pending = takeDraft<PendingMatching>(matchingDraft);
    return pending && { pending };
  });
  const { value } = record;
  const { identifier: id, label } = value;
  return (
    <>
      <PageHead title={label} back={{ href: screenPath('/data?kind=cases'), label: strings.caseScreen.back }}>
        <PrintButton />
        <RecordNav kind="cases" id={id} path="/data/cases" />
        <ChangeButtons
          items={[value]}
          isOwn={value.creatorIdentifier === me}
          onAsk={(change) => setAsking({ change, kind: 'cases', ids: [id] })}
          edit={{ kind: 'cases', onEdit: () => setEditing(true) }}
        />
      </PageHead>
      <PrintHead />
      <dl class="facts">
        <Fact term={strings.state}>
          <StateBadge item={value} />
        </Fact>
        <Fact term={strings.creator}>
          <bdi>{value.creatorNames || common.unseenPerson}</bdi>
        </Fact>
        <Fact term={strings.created}>
          <Time at={value.creation} />
        </Fact>
        <Fact term={strings.changed}>
          <Time at={fromUnix(value.editedAt)} />
        </Fact>
        <Fact term={strings.caseScreen.visibility}>
          {value.hidden ? strings.hidden : strings.caseScreen.visible}
        </Fact>
        <PropertyFacts of={value.properties} declared={properties} />
      </dl>
      <p class="row-actions apart">
        <a class="button plain" href={screenPath(`/data?case=${id}`)}>
          {strings.caseScreen.responses}
        </a>
        {!study.frozenAt && (
          <Button icon="lock" onClick={() => setMatching({})}>
            {strings.matching.ofCaseButton}
          </Button>
        )}
      </p>
      <ItemHistory id={id} />
      {matching && (
        <LockMatchingDialog
          filter={{ case: id }}
          pending={matching.pending}
          onClose={() => setMatching(undefined)}
          onChanged={onChanged}
        />
      )}
      {editing && <CaseDialog record={record} onClose={() => setEditing(false)} onChanged={onChanged} />}
      {asking && (
        <ChangeDialog
          {...asking}
          items={[value]}
          nameOf={() => label}
          mutate={({ change }, request) =>
            mutate((now) => ({ ...now, value: asExpected(change, now.value) }), request)
          }
          onClose={() => setAsking(undefined)}
          onAsk={setAsking}
          onChanged={onChanged}
        />
      )}
    </>
  );
}
