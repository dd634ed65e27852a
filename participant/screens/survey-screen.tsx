import { useEffect, useRef, useState } from 'preact/hooks';
import { type Entered, formerAnswers } from '../answers.ts';
import { type Draft, draftKey, type Form, readDraft } from '../drafts.ts';
import { formStatusOf } from '../form-status.ts';
import { type Kept, reload } from '../kept-state.ts';
import { flush, readOutbox, submit } from '../outbox.ts';
import { noteReceipt } from '../receipts.ts';
import { closeShown } from '../shown.ts';
import type { Survey } from '../snapshot.ts';
import { keep } from '../store.ts';
import { useTexts } from '../strings/texts.ts';
import type { Submission } from '../submissions.ts';
import { syncNow } from '../sync.ts';
import { AbsentSurvey } from './absent-survey.tsx';
import { Before } from './before.tsx';
import { Outcome } from './outcome.tsx';
import { SurveyForm } from './survey-form.tsx';

interface Props {
  place: Form;
  kept: Kept;
}

/** The form of one occurrence: with the next reminder of the same survey another one begins. */
export function SurveyScreen({ place, kept }: Props) {
  const { texts } = useTexts();
  const [draft, setDraft] = useState<Draft>();
  const present = kept.snapshot?.surveys.find(({ identifier }) => identifier === place.survey);
  // A form that is open stays, whatever becomes of its survey: Send says so.
  const last = useRef<Survey>(undefined);
  if (present) last.current = present;
  const survey = last.current;
  useEffect(() => {
    void readDraft(place).then(setDraft, () => setDraft({ items: {}, chosen: {} }));
    if (place.notification)
      void noteReceipt(place.notification, 'opened')
        .then(flush)
        .catch(() => undefined);
  }, []);
  if (!survey) return <AbsentSurvey survey={place.survey} />;
  if (!draft) return <p class="loading">{texts.today.loading}</p>;
  const change = (entered: Entered) => {
    const next = { ...draft, ...entered };
    setDraft(next);
    // A phone that keeps nothing says so at the top of the page, and after Send.
    keep(draftKey(place), next).catch(() => undefined);
  };
  return <Answering {...{ place, kept, survey, draft, onChange: change }} />;
}

/** So long the screen waits for the service before it says that it goes on waiting. */
const patienceMs = 10_000;

interface AnsweringProps extends Props {
  survey: Survey;
  draft: Draft;
  onChange: (entered: Entered) => void;
}

function Answering({ place, kept, survey, draft, onChange }: AnsweringProps) {
  const { texts, language } = useTexts();
  const [since] = useState(Date.now);
  const [isAgain, setAgain] = useState(draft.replaces !== undefined);
  /** The answers of this form, once they are kept; shown once there is something to say about them. */
  const [submission, setSubmission] = useState<Submission>();
  const [isReported, setReported] = useState(false);
  const identifier = submission?.identifier;
  const poll = async () => {
    const known = identifier && (await readOutbox()).find((answers) => answers.identifier === identifier);
    if (known) setSubmission(known);
  };
  useEffect(() => void poll().catch(() => undefined), [kept.outbox]);
  if (submission && isReported) return <Outcome submission={submission} />;
  const { snapshot, outbox, arrived, clock } = kept;
  const known = { outbox, arrived, now: since + clock, clock, since };
  const status = snapshot && formStatusOf(place, survey, { snapshot, ...known });
  const isHalted = status?.answeredAt !== undefined || status?.expiredAt !== undefined;
  if (status && isHalted && !isAgain && !submission)
    return <Before {...{ status, survey }} onAnswer={() => setAgain(true)} />;

  const formers = formerAnswers(survey.items, draft.items);
  const finish = async (answers: Submission) => {
    if (place.notification) void closeShown([place.notification]);
    const waiting = new Promise((resolve) => setTimeout(resolve, patienceMs));
    await Promise.race([flush().catch(() => undefined), waiting]);
    const outbox = await readOutbox().catch(() => []);
    setSubmission(outbox.find(({ identifier }) => identifier === answers.identifier) ?? answers);
    setReported(true);
    reload();
    void syncNow(language);
  };
  const send = async (items: Record<string, string>): Promise<string> => {
    try {
      const answers = await submit(survey, {
        items: { ...(draft.replaces && Object.fromEntries(formers)), ...items },
        draft,
        notification: place.notification,
        ...(!isAgain && { since }),
      });
      setSubmission(answers);
      // Without answers another window has answered the same meanwhile, which this one then shows.
      if (answers) await finish(answers);
      else reload();
      return '';
    } catch {
      return texts.survey.notKept;
    }
  };
  return (
    <SurveyForm {...{ survey, onChange }} entered={draft} action={texts.survey.send} onSend={send}>
      <Former formers={formers} title={draft.replaces ? texts.survey.former : texts.survey.dropped} />
    </SurveyForm>
  );
}

interface FormerProps {
  formers: [string, string][];
  title: string;
}

/** Answers to questions that the survey has no more: nothing is dropped without a word. */
function Former({ formers, title }: FormerProps) {
  if (formers.length === 0) return null;
  return (
    <div class="note">
      <p>{title}</p>
      <dl>
        {formers.map(([item, text]) => (
          <div key={item}>
            <dt>{item}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
