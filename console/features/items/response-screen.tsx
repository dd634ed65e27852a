import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { type Answer, mutate, useAnswer } from '../../answers.ts';
import { type AnswerOf, api, isProblem } from '../../api.ts';
import { Fact } from '../../components/fact.tsx';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Coded } from '../../components/person.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { PropertyFacts } from '../../components/property-fields.tsx';
import { RecordNav } from '../../components/record-nav.tsx';
import { Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { fromUnix } from '../../format.ts';
import { idOf, personIn, useCaseLabels, usePeople, useResponderCode } from '../../names.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { ReminderLink } from './answered-reminder.tsx';
import { useAnsweredWordings } from './answered-wordings.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { ChangeDialog, changeDraft, type PendingChange } from './change-dialog.tsx';
import { asExpected } from './expected-states.ts';
import { ItemHistory } from './item-history.tsx';
import { strings } from './item-strings.ts';
import { Answers } from './response-answers.tsx';
import { Revisions, useRevisions } from './revisions.tsx';
import { StateBadge } from './state-badge.tsx';

const route = api.response[':id'];
type Single = AnswerOf<typeof route.$get>;

/** One response: its answers, its state and its revisions. */
export function ResponseScreen() {
  const { response: id = '' } = useRoute().params;
  return <Opened key={id} id={id} />;
}

function Opened({ id }: { id: string }) {
  const answer = useAnswer(['response', id], (options) =>
    route.$get({ param: { id }, query: { include: 'lock' } }, options),
  );
  const { data, error, reload } = answer;
  const refresh = () => {
    reload();
    mutate(['revisions', id]);
    mutate(['item-history', id]);
  };
  useStudyChanges(refresh);
  if (isProblem(error, 'resource.not-found')) return <NothingHere />;
  if (!data) return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
  return <Shown id={id} response={data} mutate={answer.mutate} onChanged={refresh} />;
}

function Shown({
  id,
  response,
  mutate,
  onChanged,
}: {
  id: string;
  response: Single;
  mutate: Answer<Single>['mutate'];
  onChanged: () => void;
}) {
  const { study, properties, screenPath, can } = useStudy();
  const { identifier: me } = useUser();
  const { route: go } = useLocation();
  const [asking, setAsking] = useState(() => takeDraft<PendingChange>(changeDraft));
  const caseId = idOf(response.case);
  const label = useCaseLabels(study.identifier, [caseId]).get(caseId);
  const responder = idOf(response.responder);
  const by = personIn(usePeople([responder]), responder);
  const code = useResponderCode(study.identifier, responder);
  const survey = useAnswer(['survey-of-response', response.survey], (options) =>
    api.survey[':id'].$get({ param: { id: idOf(response.survey) } }, options),
  ).data;
  const items = survey?.items ?? [];
  const revisions = useRevisions(id);
  const wordingOf = useAnsweredWordings(idOf(response.survey), revisions.all);
  return (
    <>
      <PageHead
        title={strings.response.title(label)}
        back={{ href: screenPath('/data'), label: strings.response.back }}
      >
        <PrintButton />
        <RecordNav kind="responses" id={id} path="/data/responses" />
        <ChangeButtons
          items={[response]}
          isOwn={responder === me}
          onAsk={(change) => setAsking({ change, kind: 'responses', ids: [id] })}
          edit={{ kind: 'responses', onEdit: () => go(screenPath(`/data/responses/${id}/edit`)) }}
        />
      </PageHead>
      <PrintHead />
      <dl class="facts">
        <Fact term={strings.state}>
          <StateBadge item={response} />
        </Fact>
        <Fact term={strings.case}>
          {label === null ? (
            strings.unknownCase
          ) : (
            <a href={screenPath(`/data/cases/${caseId}`)}>{label ?? '…'}</a>
          )}
        </Fact>
        <PropertyFacts of={response.properties} declared={properties} />
        <Fact term={strings.survey}>{survey?.name}</Fact>
        <Fact term={strings.response.by}>
          <span>
            <Coded name={by} code={code} />
          </span>
        </Fact>
        {response.givenAt && response.receivedAt && (
          <>
            <Fact term={strings.response.given}>
              <Time at={response.givenAt} />
            </Fact>
            <Fact term={strings.response.received}>
              <Time at={response.receivedAt} />
            </Fact>
          </>
        )}
        <Fact term={strings.changed}>
          <Time at={fromUnix(response.revisionDate)} />
        </Fact>
        {can('readAll') && (
          <Fact term={strings.reminder}>
            {response.notification ? (
              <ReminderLink
                responder={responder}
                survey={idOf(response.survey)}
                notification={response.notification}
                late={response.late}
              />
            ) : (
              <span class="muted">{strings.noReminder}</span>
            )}
          </Fact>
        )}
      </dl>
      <h2>{strings.response.answersTitle}</h2>
      <Answers items={items} content={response} wordingOf={(key) => wordingOf(0, key)} />
      <Revisions list={revisions} items={items} wordingOf={wordingOf} />
      <ItemHistory id={id} />
      {asking && (
        <ChangeDialog
          {...asking}
          items={[response]}
          nameOf={() => label ?? undefined}
          mutate={({ change }, request) => mutate((item) => asExpected(change, item), request)}
          onClose={() => setAsking(undefined)}
          onAsk={setAsking}
          onChanged={onChanged}
        />
      )}
    </>
  );
}
