import { useEffect, useState } from 'preact/hooks';
import type { Revised, Survey } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Unread } from '../../components/states.tsx';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { strings as surveyStrings } from '../surveys/survey-strings.ts';

/** Days, times and texts of a survey's reminders. */
export const SurveyReminders = () => (
  <SurveyPage>{(survey) => (survey.value.archivedAt ? <Archived /> : <Editor record={survey} />)}</SurveyPage>
);

const Archived = () => (
  <p class="note">
    <Icon name="archive" /> {surveyStrings.archivedNote}
  </p>
);

type Module = typeof import('./reminder-editor.tsx');

/** The form is loaded with its screen: the first view of the console does without it. */
function Editor({ record }: { record: Revised<Survey> }) {
  const [module, setModule] = useState<Module>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    import('./reminder-editor.tsx').then(setModule, setError);
  }, []);
  // A browser does not ask again for a module that it could not load.
  if (!module) return <Unread error={error} reload={() => location.reload()} />;
  return <module.ReminderEditor record={record} />;
}
