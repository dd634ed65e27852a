import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { labelOf } from '../../answer-labels.ts';
import { useAnswer } from '../../answers.ts';
import { type AnswerOf, api, ifMatch, isProblem, type Revised, revised } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { FailedScreen } from '../../components/failed-screen.tsx';
import { Form, TextAreaField, TextField } from '../../components/form.tsx';
import { NothingHere } from '../../components/not-found.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Loading } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { formatDistance, fromUnix } from '../../format.ts';
import { idOf, personIn, type Question, useCaseLabels, usePeople } from '../../names.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useUser } from '../../user.tsx';
import { MeanwhileNote } from '../surveys/meanwhile-note.tsx';
import { useAnsweredWordings } from './answered-wordings.ts';
import { strings } from './item-strings.ts';
import { questionsOf, shorten } from './response-content.ts';
import { useRevisions } from './revisions.tsx';
import { askedAs } from './wordings.ts';

const { answersForm } = strings;
const route = api.response[':id'];
type ResponseRecord = Revised<AnswerOf<typeof route.$get>>;

/** The answers of a response as a form. */
export function AnswersScreen() {
  const { response: id = '' } = useRoute().params;
  const answer = useAnswer(['response', id, 'revised'], async (options) =>
    revised(await route.$get({ param: { id } }, options)),
  );
  const { data, error, reload } = answer;
  // A lock that somebody sets meanwhile takes the button away.
  useStudyChanges(reload);
  if (isProblem(error, 'resource.not-found')) return <NothingHere />;
  if (data && idOf(data.value.uri) === id) return <WithSurvey id={id} record={data} onStale={reload} />;
  return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
}

function WithSurvey({ id, record, onStale }: { id: string; record: ResponseRecord; onStale: () => void }) {
  const { survey } = record.value;
  const { data, error, reload } = useAnswer(['survey-of-response', survey], (options) =>
    api.survey[':id'].$get({ param: { id: idOf(survey) } }, options),
  );
  if (!data) return error ? <FailedScreen error={error} onRetry={reload} /> : <Loading />;
  return <Editor id={id} record={record} items={data.items} onStale={onStale} />;
}

/** The text of the fields that the person touched, by item. */
type Typed = Readonly<Record<string, string>>;

function Editor({
  id,
  record,
  items,
  onStale,
}: {
  id: string;
  record: ResponseRecord;
  items: readonly Question[];
  onStale: () => void;
}) {
  const { study, screenPath } = useStudy();
  const { identifier: me } = useUser();
  const { route: go } = useLocation();
  const toast = useToast();
  const [base, setBase] = useState(record);
  const [typed, setTyped] = useState<Typed>({});
  const [codes, setCodes] = useState<Typed>({});
  const caseId = idOf(record.value.case);
  const label = useCaseLabels(study.identifier, [caseId]).get(caseId);
  const home = screenPath(`/data/responses/${id}`);
  const before = base.value;
  // People say why they change the answers of somebody else.
  const isOwn = idOf(before.responder) === me;
  const questions = questionsOf(items, before);
  const wordingOf = useAnsweredWordings(idOf(before.survey), useRevisions(id).all);

  /** The question and the answer as they were read, where the field has other words. */
  function askedHint(key: string, label: string) {
    const value = before.items[key] ?? '';
    const former = askedAs(key, wordingOf(0, key), items);
    const [question, answer] = [former?.label || key, labelOf(former, value)];
    const isSaid = value === '' || (question === label && answer === value);
    return isSaid ? undefined : answersForm.askedAs(question, answer);
  }

  async function save(form: FormData) {
    const change = {
      items: changesOf(typed, before.items, String),
      reasons: changesOf(codes, before.reasons, (text) => (text === '' ? null : Number(text))),
    };
    if (Object.keys({ ...change.items, ...change.reasons }).length === 0) {
      toast({ text: answersForm.unchanged });
      return go(home);
    }
    const reason = String(form.get('reason')).trim();
    try {
      await route.$patch(
        { param: { id }, json: { ...change, ...(reason && { reason }) } },
        ifMatch(base.etag),
      );
    } catch (error) {
      if (isProblem(error, 'revision.stale', 'item.locked', 'item.archived')) onStale();
      throw error;
    }
    toast({ text: answersForm.saved });
    go(home);
  }

  return (
    <>
      <PageHead
        title={answersForm.title(label)}
        about={answersForm.about}
        back={{ href: home, label: answersForm.back }}
      />
      {record.etag !== base.etag && (
        <Meanwhile
          id={id}
          before={base}
          theirs={record}
          questions={questions}
          onLoad={() => {
            setBase(record);
            setTyped({});
            setCodes({});
          }}
          onKeep={() => setBase(record)}
        />
      )}
      <Form
        submit={answersForm.save}
        blocked={blockedBy(record, study)}
        onSubmit={save}
        beside={
          <a class="button plain" href={home}>
            {common.cancel}
          </a>
        }
      >
        {questions.map(({ identifier: key, label, isDropped }) => (
          <div key={key} class="answer-fields">
            <TextAreaField
              label={label}
              pointer={`/items/${key}`}
              hint={
                [isDropped && answersForm.noItem, askedHint(key, label)].filter(Boolean).join(' ') ||
                undefined
              }
              rows={rowsOf(before.items[key])}
              maxLength={64_000}
              dir="auto"
              value={typed[key] ?? before.items[key] ?? ''}
              onInput={({ currentTarget: { value } }) => setTyped((all) => ({ ...all, [key]: value }))}
            />
            {before.reasons[key] !== undefined && (
              <TextField
                label={strings.response.code(label)}
                pointer={`/reasons/${key}`}
                hint={answersForm.codeHint}
                type="number"
                step={1}
                value={codes[key] ?? String(before.reasons[key])}
                onInput={({ currentTarget: { value } }) => setCodes((all) => ({ ...all, [key]: value }))}
              />
            )}
          </div>
        ))}
        <TextField
          label={answersForm.why}
          name="reason"
          pointer="/reason"
          hint={isOwn ? answersForm.whyOptional : answersForm.whyHint}
          maxLength={500}
          dir="auto"
          required={!isOwn}
        />
      </Form>
    </>
  );
}

/** Why nobody can save the answers now. */
function blockedBy(
  { value: { lockedAt, status } }: ResponseRecord,
  { frozenAt }: { frozenAt?: string | undefined },
) {
  const { byCode } = common.problem;
  if (frozenAt) return byCode['study.frozen'];
  if (lockedAt) return byCode['item.locked'];
  return status === 'archived' ? byCode['item.archived'] : undefined;
}

/** The values that differ from those before, as a merge patch. */
function changesOf<T>(
  typed: Typed,
  before: Readonly<Record<string, string | number>>,
  of: (text: string) => T,
) {
  const changed = Object.entries(typed).filter(([key, text]) => text !== String(before[key] ?? ''));
  return Object.fromEntries(changed.map(([key, text]) => [key, of(text)]));
}

const rowsOf = (answer = '') =>
  answer.length > 300 ? 8 : answer.length > 60 || answer.includes('\n') ? 4 : 2;

/** Somebody else has saved other answers since the form was opened. */
function Meanwhile({
  id,
  before,
  theirs,
  questions,
  onLoad,
  onKeep,
}: {
  id: string;
  before: ResponseRecord;
  theirs: ResponseRecord;
  questions: readonly Question[];
  onLoad: () => void;
  onKeep: () => void;
}) {
  const { data } = useAnswer(['newest-revision', id, theirs.etag], (options) =>
    route.revisions.$get({ param: { id }, query: { limit: '1' } }, options),
  );
  const newest = data?.revisions[0];
  const author = personIn(usePeople(newest ? [newest.author] : []), newest?.author ?? '');
  const now = theirs.value.items;
  const changes = questions
    .filter(({ identifier: key }) => now[key] !== before.value.items[key])
    .map(({ identifier: key, label }) => answersForm.answer(label, shorten(now[key])));
  return (
    <MeanwhileNote
      title={
        newest && author
          ? answersForm.by(author, formatDistance(fromUnix(newest.revisionDate)))
          : (common.problem.byCode['revision.stale'] ?? '')
      }
      what={answersForm.now(changes.join(' · '))}
      onLoad={onLoad}
      onKeep={onKeep}
    />
  );
}
