import { useEffect, useState } from 'preact/hooks';
import { api, isProblem, read } from '../api.ts';
import { Button, Heading, Link } from '../components.tsx';
import { reload } from '../kept-state.ts';
import { readSnapshot, refresh } from '../snapshot.ts';
import { keep } from '../store.ts';
import { useTexts } from '../strings/texts.ts';

/** `over` and `gone` are the service's words; without them a survey is only not loaded yet. */
type Absence = 'asking' | 'unloaded' | 'over' | 'gone';

/** A survey that this phone does not know: it was made since, or is gone. */
export function AbsentSurvey({ survey }: { survey: string }) {
  const { texts } = useTexts();
  const [absence, setAbsence] = useState<Absence>('asking');
  const load = () => {
    setAbsence('asking');
    void ask(survey).then(setAbsence);
  };
  useEffect(() => {
    load();
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, []);
  if (absence === 'asking') return <p class="loading">{texts.today.loading}</p>;
  return (
    <>
      <Heading key={absence}>{texts.survey[absence]}</Heading>
      <p class="lead">{texts.survey[`${absence}Text`]}</p>
      {absence === 'unloaded' && (
        <Button variant="main" class="wide" onClick={load}>
          {texts.survey.loadAgain}
        </Button>
      )}
      <Link to={{ view: 'today' }} class={`button wide ${absence === 'unloaded' ? 'quiet' : 'main'}`}>
        {texts.today.title}
      </Link>
    </>
  );
}

/** Asks the service, which may have told the phone of a survey that the phone has not read. */
async function ask(identifier: string): Promise<Absence> {
  try {
    const survey = await read(api.survey[':id'].$get({ param: { id: identifier } }));
    if (survey.identifier !== identifier) return 'unloaded';
    if (survey.archivedAt !== undefined) return 'over';
    await refresh();
    const snapshot = await readSnapshot();
    if (snapshot && !snapshot.surveys.some((known) => known.identifier === identifier))
      await keep('snapshot', { ...snapshot, surveys: [...snapshot.surveys, survey] });
    reload();
    return 'asking';
  } catch (error) {
    return isProblem(error, 404) && error.code === 'resource.not-found' ? 'gone' : 'unloaded';
  }
}
