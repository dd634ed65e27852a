import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entered } from '../answers.ts';
import { api, read } from '../api.ts';
import { Button, Heading, Link, Status } from '../components.tsx';
import { readAnswers, type StoredAnswers, saveAnswers } from '../corrections.ts';
import type { Kept } from '../kept-state.ts';
import type { Survey } from '../snapshot.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { momentText } from '../time.ts';
import { readFaultOf } from '../wording.ts';
import { AbsentSurvey } from './absent-survey.tsx';
import { Answers } from './answers-list.tsx';
import { SurveyForm } from './survey-form.tsx';

interface Props {
  place: { survey: string; response: string };
  kept: Kept;
}

/** Answers that the study has: people see what they gave, and can correct it as long as nobody has locked it. */
export function AnswerScreen({ place, kept }: Props) {
  const { texts } = useTexts();
  const [stored, setStored] = useState<StoredAnswers>();
  const [fault, setFault] = useState('');
  const present = kept.snapshot?.surveys.find(({ identifier }) => identifier === place.survey);
  // A correction that somebody has begun stays, whatever becomes of its survey.
  const last = useRef<Survey>(undefined);
  if (present) last.current = present;
  const [past, setPast] = useState<Survey>();
  const survey = last.current ?? past;
  const load = () => {
    setFault('');
    readAnswers(place.response).then(setStored, (error) => setFault(readFaultOf(error, texts)));
  };
  useEffect(load, []);
  useEffect(() => {
    if (!survey) void readPast(place.survey).then(setPast);
  }, []);
  if (fault)
    return (
      <>
        <Heading>{texts.sent.title}</Heading>
        <p class="note">{fault}</p>
        <Button class="wide" onClick={load}>
          {texts.survey.loadAgain}
        </Button>
      </>
    );
  if (!stored) return <p class="loading">{texts.today.loading}</p>;
  if (!survey) return <AbsentSurvey survey={place.survey} />;
  if (stored.isLocked || stored.isArchived)
    return (
      <>
        <Heading>{survey.name}</Heading>
        <p class="note">{stored.isLocked ? texts.sent.lockedNow : texts.sent.closedNow}</p>
        <Answers items={stored.items} survey={survey} />
        <Today />
      </>
    );
  return <Correction survey={survey} first={stored} />;
}

/** A questionnaire that has ended: its answers can be looked at, and corrected. */
const readPast = (id: string): Promise<Survey | undefined> =>
  read(api.survey[':id'].$get({ param: { id } })).then(
    (survey) => (survey.archivedAt === undefined ? undefined : survey),
    () => undefined,
  );

function Correction({ survey, first }: { survey: Survey; first: StoredAnswers }) {
  const { texts, locale } = useTexts();
  const [stored, setStored] = useState(first);
  // A number is stored with a point: there is nothing to ask about it.
  const [entered, setEntered] = useState<Entered>({ items: first.items, chosen: first.items });
  const [saved, setSaved] = useState('');
  const change = (next: Entered) => {
    setEntered(next);
    setSaved('');
  };
  const save = async (items: Record<string, string>): Promise<string> => {
    const outcome = await saveAnswers(survey, { stored, items }, texts);
    if (outcome.stored) setStored(outcome.stored);
    setSaved(outcome.saved ?? '');
    return outcome.fault ?? '';
  };
  return (
    <>
      <SurveyForm {...{ survey, entered }} action={texts.sent.save} onChange={change} onSend={save}>
        <p class="muted">
          {fill(texts.sent.given, { time: momentText(stored.givenAt, Date.now(), locale) })}
        </p>
      </SurveyForm>
      <Status>{saved}</Status>
      <Today />
    </>
  );
}

function Today() {
  const { today } = useTexts().texts;
  return (
    <Link to={{ view: 'today' }} class="button quiet wide">
      {today.title}
    </Link>
  );
}
