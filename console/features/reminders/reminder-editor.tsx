import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, ifMatch, isProblem, type Revised, type Survey } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { useToast } from '../../components/toast.tsx';
import { isTwice } from '../../languages.ts';
import { useStudy } from '../../study-context.ts';
import { MeanwhileNote, type Theirs, titleOf, useMeanwhile } from '../surveys/meanwhile-note.tsx';
import { Courses } from './courses.tsx';
import { describeReminders } from './describe.ts';
import { Examples } from './examples.tsx';
import { type Answer, ImpactDialog } from './impact-dialog.tsx';
import { Preview } from './preview.tsx';
import {
  type Draft,
  draftOf,
  emptyDraft,
  type GivenReminders,
  isSayable,
  remindersOf,
  timingOf,
} from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';
import { forgetDraft, useStoredDraft } from './stored-reminder-draft.ts';
import { TextFields } from './text-fields.tsx';
import { startOf, usePreview } from './use-preview.ts';
import { WaitingFields } from './waiting-fields.tsx';
import { WhenFields } from './when-fields.tsx';

const draftFor = ({ value }: Revised<Survey>): Draft =>
  value.reminders ? draftOf(value.reminders) : emptyDraft();

/** The question before reminders are saved. */
interface Question {
  after: GivenReminders | null;
  answer: (answer: Answer) => void;
}

/** Days, times and texts of a survey's reminders, as a form with whole courses and a live preview. */
export function ReminderEditor({ record }: { record: Revised<Survey> }) {
  const { study, screenPath } = useStudy();
  const { route } = useLocation();
  const toast = useToast();
  const [base, setBase] = useState(record);
  const { draft, setDraft, wasStored, discard } = useStoredDraft(base, draftFor);
  const [question, setQuestion] = useState<Question>();
  const [stopError, setStopError] = useState<unknown>();
  const { theirs, check } = useMeanwhile(base);
  const timing = timingOf(draft);
  const preview = usePreview(timing);

  const { identifier: id, name, reminders: before } = base.value;
  const home = screenPath(`/surveys/${id}`);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });

  /** Resolves to whether the reminders were saved. */
  async function save(after: GivenReminders | null) {
    const { go, again } = await new Promise<Answer>((answer) => setQuestion({ after, answer }));
    setQuestion(undefined);
    if (!go) return;
    try {
      await api.survey[':id'].$patch(
        { param: { id }, json: { reminders: after, ...(again && { again }) } },
        ifMatch(base.etag),
      );
    } catch (error) {
      if (isProblem(error, 'revision.stale')) await check();
      throw error;
    }
    forgetDraft(id);
    toast({ text: after ? strings.saved : strings.removed });
    route(home);
  }
  async function submit() {
    if (!isSayable(draft) || draft.translations.some(({ tag }) => isTwice(draft.translations, tag))) {
      document.querySelector<HTMLElement>('[data-fault]')?.focus();
      return;
    }
    const after = remindersOf(draft);
    await checkWhole(after);
    await save(after);
  }
  async function stop() {
    setStopError(undefined);
    await save(null).catch(setStopError);
  }
  const take = (survey: Theirs) => {
    setBase(survey);
    setDraft(draftFor(survey));
  };

  return (
    <>
      <PageHead
        title={before ? strings.title(name) : strings.addTitle(name)}
        about={strings.about}
        back={{ href: home, label: name }}
      >
        {before && !study.frozenAt && (
          <Button icon="close" onClick={() => void stop()}>
            {strings.remove}
          </Button>
        )}
      </PageHead>
      {stopError !== undefined && <ProblemNote error={stopError} />}
      {wasStored && (
        <p class="note accent">
          <Icon name="restore" /> <span class="grow">{strings.kept}</span>
          <Button onClick={discard}>{strings.discard}</Button>
        </p>
      )}
      {theirs && (
        <MeanwhileNote
          title={titleOf(theirs)}
          what={strings.meanwhile.now(
            theirs.value.reminders ? describeReminders(theirs.value.reminders) : strings.impact.none,
          )}
          onLoad={() => take(theirs)}
          onKeep={() => setBase(theirs)}
        />
      )}
      <Examples draft={draft} set={set} />
      <Courses preview={preview} />
      <div class="editor">
        <Form
          submit={before ? strings.save : strings.saveNew}
          blocked={study.frozenAt && common.problem.byCode['study.frozen']}
          fault={preview.error}
          onSubmit={submit}
          beside={
            <a class="button plain" href={home} onClick={() => forgetDraft(id)}>
              {strings.leave}
            </a>
          }
        >
          <WhenFields draft={draft} set={set} />
          <WaitingFields draft={draft} set={set} />
          <TextFields draft={draft} set={set} />
        </Form>
        <aside aria-label={strings.preview}>
          <Preview timing={timing} preview={preview} />
        </aside>
      </div>
      {question && (
        <ImpactDialog change={{ survey: id, before, after: question.after }} answer={question.answer} />
      )}
    </>
  );
}

/** The preview is refused for the same faults as the save, so nobody is asked to confirm a change that would fail. */
const checkWhole = (reminders: GivenReminders) =>
  api.reminders.preview.$post({
    json: {
      reminders,
      timeZone: 'UTC',
      studyTimeZone: 'UTC',
      ...startOf(reminders, { startsOn: '2026-01-01', dayZero: '2026-01-01' }),
      count: 1,
    },
  });
